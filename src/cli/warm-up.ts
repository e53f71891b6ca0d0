/** A move that bin/jobmeter.cjs has begun, so that the kernel is ready for those that come after it. */
export interface WarmUp {
  /** Settled when it is over, which it must be before a job is moved into a cgroup. */
  readonly over: Promise<void>
  /** Next time there need be none: it only holds up those who do not move. */
  forgo(): void
}
