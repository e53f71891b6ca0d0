/** How many jobs of a run stand where. */
export interface RunCounts {
  readonly done: number
  readonly running: number
  readonly failed: number
  readonly blocked: number
  readonly ready: number
  readonly total: number
}
