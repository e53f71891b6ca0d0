import type { LiveNews } from '../../model/live.ts'

/** Reads what changed in a ledger since the last time. */
export interface Reading {
  /** Whether something runs, and so will be written to soon. */
  readonly isBusy: boolean
  /**
   * What there is to tell. Each trouble is told to `onProblem`, and what it hides is read the next time. Throws SourceLost
   * if all is to be read anew.
   */
  read(onProblem: (problem: string) => void): LiveNews[]
  close(): void
}
