/** Records that were refused for the same reason. */
export interface Refusals {
  readonly fault: string
  readonly count: number
  /** The first few. */
  readonly places: readonly {
    readonly file: string
    readonly line: number
    readonly why: string
  }[]
}

/** What came of an import. All records that were read are accepted (added, known or unused) or refused. */
export interface ImportSummary {
  readonly database: string
  readonly files: number
  readonly records: number
  readonly added: number
  /** They were in the database already. */
  readonly known: number
  /** Of kinds that tell nothing that is kept. */
  readonly unused: number
  readonly refused: number
  readonly refusals: readonly Refusals[]
  /** Files that could not be read, or not to their end. */
  readonly problems: readonly string[]
  /** Whether somebody ended it before all was read. */
  readonly isStopped: boolean
}
