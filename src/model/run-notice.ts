import type { KeptSettings } from './kept-settings.ts'

/** What is to be known of a run before its first job starts. */
export type RunNotice =
  | { readonly kind: 'leftovers ended'; readonly pids: readonly number[] }
  | { readonly kind: 'containers ended'; readonly ids: readonly string[] }
  | { readonly kind: 'containers unknown'; readonly why: readonly string[] }
  /** How it is run only because it was run so before. */
  | { readonly kind: 'settings kept'; readonly kept: KeptSettings }
  | ({ readonly kind: 'resuming' } & JobsLeft)
  | ({ readonly kind: 'mended'; readonly mending: Mending } & JobsLeft)
  | {
      readonly kind: 'inputs changed'
      readonly paths: readonly string[]
      /** How many jobs run again for that. */
      readonly jobs: number
    }
  | { readonly kind: 'inputs absent'; readonly absent: readonly AbsentInput[] }
  | { readonly kind: 'output elsewhere'; readonly asked: string; readonly directory: string }

/** How many jobs of a workflow are still to run. */
export interface JobsLeft {
  readonly left: number
  readonly total: number
}

/** What a mended file means for a workflow that has run in part. Jobs by name, in the order of the file. */
export interface Mending {
  /** Those that do something else than before, or with something else. */
  readonly changed: readonly string[]
  readonly added: readonly string[]
  /** Those that had succeeded and come after any of these. */
  readonly following: readonly string[]
  /** Those that the file no longer has. */
  readonly removed: readonly string[]
}

/** A file that jobs read, that is not there and that no job of the workflow writes. */
export interface AbsentInput {
  readonly path: string
  /** Jobs that read it, by name. */
  readonly jobs: readonly string[]
}
