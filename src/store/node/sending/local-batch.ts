import type { SQLOutputValue } from 'node:sqlite'

export type LocalRow = Readonly<Record<string, SQLOutputValue>>

/**
 * Some of what an agent keeps, as it keeps it: rows have the names of its columns and its numbers of jobs and devices; hosts,
 * users, accounts and commands are named.
 */
export interface LocalBatch {
  readonly jobs: readonly LocalRow[]
  readonly fives: LocalStretch | undefined
  readonly hours: LocalStretch | undefined
  readonly findings: readonly LocalRow[]
  /** Findings that are no longer there. */
  readonly goneFindings: readonly { readonly host: string; readonly id: number }[]
  /** All of what says which policies judge a host, of each host where it changed. */
  readonly policies: readonly { readonly host: string; readonly rows: readonly LocalRow[] }[]
}

/** Buckets of one host, all rows of them; `from` and `to` are the beginnings of the first and the last. */
export interface LocalStretch {
  readonly host: string
  readonly fromMs: number
  readonly toMs: number
  readonly tables: Readonly<Record<string, readonly LocalRow[]>>
}
