import type { KernelAccount } from '../system/system.ts'

/** What the kernel told of a job's processes when they were reaped: of the main one, and of orphans that came to us. */
export class JobAccounts {
  /** All accounts together; null until there is one. */
  whole: KernelAccount | null = null
  /** That of the main process. */
  root: KernelAccount | null = null
  /** Orphans that ended and might have been this job's or another's. */
  strayOrphans = 0

  add(account: KernelAccount, isRoot: boolean): void {
    this.whole = this.whole === null ? account : sumOf(this.whole, account)
    if (isRoot) this.root = account
  }

  /** NaN until there is an account. */
  get userSeconds(): number {
    return this.whole?.userSeconds ?? NaN
  }

  get systemSeconds(): number {
    return this.whole?.systemSeconds ?? NaN
  }

  get isEmpty(): boolean {
    return this.whole === null
  }

  /** Who told it. */
  get source(): KernelAccount['source'] {
    return this.root?.source ?? 'wait4'
  }

  /** As the basis of a figure. */
  get words(): string {
    return `kernel accounting at exit (${this.source})`
  }
}

const sumOf = (one: KernelAccount, other: KernelAccount): KernelAccount => ({
  source: one.source,
  userSeconds: one.userSeconds + other.userSeconds,
  systemSeconds: one.systemSeconds + other.systemSeconds,
  largestProcessBytes: Math.max(one.largestProcessBytes, other.largestProcessBytes),
  minorFaults: one.minorFaults + other.minorFaults,
  majorFaults: one.majorFaults + other.majorFaults,
  voluntarySwitches: one.voluntarySwitches + other.voluntarySwitches,
  involuntarySwitches: one.involuntarySwitches + other.involuntarySwitches,
})
