import type { Clock } from '../../system/system.ts'
import type { ThreadListener, WorkerThread } from '../../system/worker-thread.ts'
import { asError, type Told } from './told.ts'

/** How much is done at once, how much may wait, and for how long. */
export interface DeskBounds {
  readonly clerks: number
  readonly waiting: number
  readonly waitSeconds: number
  readonly workSeconds: number
}

const usualBounds: DeskBounds = {
  clerks: 2,
  waiting: 64,
  waitSeconds: 20,
  workSeconds: 120,
}

/** Nothing is wrong with the question; there are too many of them, or it takes too long. */
export class DeskBusy extends Error {
  readonly retrySeconds: number

  constructor(message: string, retrySeconds: number) {
    super(message)
    this.retrySeconds = retrySeconds
  }
}

interface Task {
  readonly work: unknown
  readonly who: string
  readonly settle: PromiseWithResolvers<unknown>
  stopClock: () => void
}

interface Clerk {
  thread: WorkerThread
  task: Task | undefined
}

/**
 * Where a server has long work done by threads (`clerk.ts`), so that everybody else is answered meanwhile. Who has
 * something done there already waits for those who have not.
 */
export class Desk {
  readonly #start: (listener: ThreadListener) => WorkerThread
  readonly #clock: Pick<Clock, 'after'>
  readonly #bounds: DeskBounds
  readonly #clerks: Clerk[] = []
  readonly #waiting: Task[] = []
  #isClosed = false

  constructor(
    start: (listener: ThreadListener) => WorkerThread,
    clock: Pick<Clock, 'after'>,
    bounds: DeskBounds = usualBounds,
  ) {
    this.#start = start
    this.#clock = clock
    this.#bounds = bounds
  }

  /** `who` asks: for fairness alone. Rejected with what the clerk threw, or `DeskBusy`. */
  async ask(work: unknown, who: string): Promise<unknown> {
    if (this.#isClosed) throw new DeskBusy('The server is ending.', 1)
    if (this.#waiting.length >= this.#bounds.waiting) throw this.#tooMany()
    const settle = Promise.withResolvers<unknown>()
    const task: Task = { work, who, settle, stopClock: () => undefined }
    task.stopClock = this.#clock.after(this.#bounds.waitSeconds, () => {
      this.#waiting.splice(this.#waiting.indexOf(task), 1)
      settle.reject(this.#tooMany())
    })
    this.#waiting.push(task)
    this.#serve()
    return settle.promise
  }

  close(): void {
    this.#isClosed = true
    const tasks = [...this.#waiting, ...this.#clerks.flatMap(({ task }) => task ?? [])]
    for (const { thread } of this.#clerks) thread.end()
    this.#clerks.length = 0
    this.#waiting.length = 0
    for (const { settle, stopClock } of tasks) {
      stopClock()
      settle.reject(new DeskBusy('The server is ending.', 1))
    }
  }

  #tooMany(): DeskBusy {
    return new DeskBusy('Too many long questions are being answered.', this.#bounds.waitSeconds)
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const clerk = this.#freeClerk()
      if (clerk === undefined) return
      const served = new Set(this.#clerks.map(({ task }) => task?.who))
      const at = this.#waiting.findIndex(({ who }) => !served.has(who))
      const [task] = this.#waiting.splice(Math.max(0, at), 1)
      if (task !== undefined) this.#hand(clerk, task)
    }
  }

  #freeClerk(): Clerk | undefined {
    const free = this.#clerks.find(({ task }) => task === undefined)
    if (free !== undefined || this.#clerks.length >= this.#bounds.clerks) return free
    const clerk: Clerk = {
      task: undefined,
      thread: this.#start({
        heard: (message) => this.#heard(clerk, message as Told | undefined),
        ended: (why) => this.#lost(clerk, `It could not be answered: ${why}`),
      }),
    }
    this.#clerks.push(clerk)
    return clerk
  }

  #hand(clerk: Clerk, task: Task): void {
    task.stopClock()
    clerk.task = task
    task.stopClock = this.#clock.after(this.#bounds.workSeconds, () => {
      clerk.thread.end()
      this.#lost(clerk, 'It took too long: ask for less time.')
    })
    try {
      clerk.thread.send(task.work)
    } catch (error) {
      // What cannot be sent to a thread: the clerk has heard nothing, and is free for the next.
      clerk.task = undefined
      task.stopClock()
      task.settle.reject(error)
    }
  }

  #heard(clerk: Clerk, told: Told | undefined): void {
    const { task } = clerk
    clerk.task = undefined
    task?.stopClock()
    if (told === undefined) task?.settle.reject(new Error('a clerk answered with what is not data'))
    else if ('error' in told) task?.settle.reject(asError(told.error))
    else task?.settle.resolve(told.ok)
    this.#serve()
  }

  /** Another takes its place with the next question. */
  #lost(clerk: Clerk, why: string): void {
    const at = this.#clerks.indexOf(clerk)
    if (at >= 0) this.#clerks.splice(at, 1)
    const { task } = clerk
    clerk.task = undefined
    task?.stopClock()
    task?.settle.reject(new DeskBusy(why, this.#bounds.waitSeconds))
    this.#serve()
  }
}
