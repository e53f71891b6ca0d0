/** What can be measured on this machine. As JSON it is this object itself. */
export interface DoctorReport {
  readonly version: string
  readonly node: string
  readonly kernel: string
  readonly host: string
  readonly rungs: readonly Rung[]
}

/** One way to measure: whether it works here, what was found, and what would make it work. */
export interface Rung {
  readonly name: string
  readonly state: 'yes' | 'no' | 'partly'
  readonly finding: string
  readonly remedy: string | null
}
