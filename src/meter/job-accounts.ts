import type { KernelAccount } from '../system/system.ts'

/** What the kernel told of a job's processes when they were reaped: of the main one, and of orphans that came to us. */
export class JobAccounts {
  /** All accounts together; NaN until there is one. */
  userSeconds = NaN
  systemSeconds = NaN
  /** That of the main process. */
  root: KernelAccount | null = null
  /** Orphans that ended and might have been this job's or another's. */
  strayOrphans = 0

  add(account: KernelAccount, isRoot: boolean): void {
    this.userSeconds = (this.userSeconds || 0) + account.userSeconds
    this.systemSeconds = (this.systemSeconds || 0) + account.systemSeconds
    if (isRoot) this.root = account
  }

  get isEmpty(): boolean {
    return Number.isNaN(this.userSeconds)
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
