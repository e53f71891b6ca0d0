import type { TaskOrder, TaskResult, TaskStatus } from './task-queue.ts'
import { unbegun } from './unbegun.ts'

/** A task of a local queue, from its submission until its result. */
export class LocalTask {
  readonly order: TaskOrder
  readonly result: Promise<TaskResult>
  readonly #abort = new AbortController()
  readonly #resolve: (result: TaskResult) => void
  #status: TaskStatus = 'pending'

  constructor(order: TaskOrder) {
    this.order = order
    const { promise, resolve } = Promise.withResolvers<TaskResult>()
    this.result = promise
    this.#resolve = resolve
  }

  get status(): TaskStatus {
    return this.#status
  }

  get isOver(): boolean {
    return this.#status !== 'pending' && this.#status !== 'running'
  }

  /** Tells that it runs; the answer ends it. */
  begin(): AbortSignal {
    this.#status = 'running'
    return this.#abort.signal
  }

  cancel(): void {
    this.#abort.abort()
  }

  /** One that was to end is cancelled, though it may have exited with 0 then: nothing begins after it. */
  end(result: TaskResult): void {
    this.#status = this.#abort.signal.aborted ? 'cancelled' : result.status
    this.#resolve({ ...result, status: this.#status })
  }

  /** It is over without having begun. */
  endUnbegun(status: 'cancelled' | 'error', why: string): void {
    this.end(unbegun(this.order, status, why))
  }
}
