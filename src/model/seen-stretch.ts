/** A stretch of time that a host was looked at, without a hole. */
export interface SeenStretch {
  readonly host: string
  readonly from: number
  readonly to: number
  readonly rounds: number
  /** Which boot of the host it was; null where only roll-ups are left, or another tool looked, which do not tell. */
  readonly epoch: string | null
}

/** When a host was started, by the oldest process that was seen since. */
export interface Boot {
  readonly host: string
  readonly epoch: string
  readonly at: number
}
