import type { AttemptStatus } from './outcome.ts'

/** How many attempts of a tool ended in one way, and what they took in all. */
export interface OutcomeTally {
  readonly tool: string
  readonly status: AttemptStatus
  readonly attempts: number
  readonly durationSeconds: KnownSum
  readonly cpuSeconds: KnownSum
}

/** The sum over those attempts that have the figure. */
export interface KnownSum {
  readonly known: number
  readonly sum: number
  /** Of how many of them it is a lower bound. */
  readonly least: number
}
