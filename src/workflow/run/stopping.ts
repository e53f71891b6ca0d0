import type { AttemptStatus } from '../../model/outcome.ts'

/** Why a run starts nothing more, where that is so. */
export class Stopping {
  #because: string | null = null
  #signal: NodeJS.Signals | null = null
  #trouble: Error | null = null
  #isReplaced = false
  /** Whether what runs is to end, too; else it goes on to its own end. */
  #endsJobs = false

  get because(): string | null {
    return this.#because
  }

  /** The signal that stopped it, where one did. */
  get signal(): NodeJS.Signals | null {
    return this.#signal
  }

  /** What the run fails with once what runs has ended. */
  get trouble(): Error | null {
    return this.#trouble
  }

  /** Whether another runs the workflow by now: what we know of it is out of date. */
  get isReplaced(): boolean {
    return this.#isReplaced
  }

  /** Whether it explains that a job ended so. A job that goes on to its own end may still be cancelled or lost, as any other. */
  explains(status: AttemptStatus): boolean {
    return this.#endsJobs && (status === 'cancelled' || status === 'interrupted')
  }

  /** A signal that came before is no longer all that there is to say. */
  stop(because: string): void {
    this.#because = because
    this.#signal = null
  }

  stopBy(signal: NodeJS.Signals): void {
    this.#endsJobs = true
    if (this.#because === null) this.#signal = signal
    this.#because ??= `stopped by ${signal}`
  }

  /** Answers whether this is the first trouble. */
  stopWith(error: unknown): boolean {
    if (this.#trouble !== null) return false
    this.#endsJobs = true
    this.#trouble = error instanceof Error ? error : new Error(String(error))
    this.#because ??= this.#trouble.message
    return true
  }

  replace(workflowId: number): void {
    this.#isReplaced = true
    this.#endsJobs = true
    this.stop(
      `another runner has taken over workflow ${workflowId}, because this one gave no sign of life`,
    )
  }
}
