import { isOver, type QueueSubmission } from '../../../model/queue.ts'
import { standingOf, withdraw, type Standing } from '../../../store/postgres/queue/standing.ts'
import type { TeamQueue } from '../../../store/postgres/queue/team-queue.ts'
import type { Clock } from '../../../system/system.ts'
import type {
  Asking,
  AttemptOrder,
  AttemptResult,
  Executor,
  ExecutorListener,
  LeftAttempt,
} from '../../run/executor.ts'
import { resultIn, seriesIn, unstarted } from './queue-result.ts'
import { submissionOf } from './submission.ts'

/** Whoever was not told looks so often. */
const lookSeconds = 1
/** A database that does not answer is tried again after so long. */
const againSeconds = 1

interface QueueExecutorSettings {
  readonly user: string
  readonly priority: number
  readonly labels: readonly string[]
  readonly patience?: Pick<Asking, 'afterSeconds' | 'giveUpSeconds'>
}

interface Known {
  hasStarted: boolean
}

/**
 * Has attempts run by the workers of a team. An attempt is a job of the queue with the same id, which is run once: whether it is
 * tried again is for the runner of its workflow to say. It outlives nobody: who comes after it finds all of it in the queue.
 */
export class QueueExecutor implements Executor {
  readonly asking: Asking
  readonly #queue: TeamQueue
  readonly #clock: Clock
  readonly #settings: QueueExecutorSettings
  /** Those that are not over, as far as we know. */
  readonly #known = new Map<string, Known>()
  /** Whose samples were told. */
  readonly #sampled = new Set<string>()
  #listener: ExecutorListener | undefined
  /** What is to be said to the database; the same again, before it was, is said once. */
  readonly #orders = new Map<string, QueueSubmission>()
  readonly #cancels = new Map<string, number>()
  readonly #adopts = new Set<string>()
  readonly #asks = new Set<string>()
  #isToLook = false
  #isBusy = false
  #hasTrouble = false
  #isClosed = false
  #stopLooking: () => void = () => {}
  readonly #stopListening: () => void

  constructor(queue: TeamQueue, clock: Clock, settings: QueueExecutorSettings) {
    this.#queue = queue
    this.#clock = clock
    this.#settings = settings
    this.asking = {
      ...(settings.patience ?? { afterSeconds: 30, giveUpSeconds: 7 * 86_400 }),
      ask: (taskIds) => {
        for (const taskId of taskIds) this.#asks.add(taskId)
        this.#work()
      },
    }
    this.#stopListening = queue.onEndings(() => this.#look())
    this.#lookLater()
  }

  tellTo(listener: ExecutorListener): void {
    this.#listener = listener
  }

  start(order: AttemptOrder): void {
    const { taskId } = order
    if (this.#known.has(taskId)) this.#asks.add(taskId)
    else this.#orders.set(taskId, submissionOf(order, this.#settings))
    this.#known.set(taskId, this.#known.get(taskId) ?? { hasStarted: false })
    this.#work()
  }

  cancel(taskId: string, _: NodeJS.Signals, request: number): void {
    this.#cancels.set(taskId, Math.max(request, this.#cancels.get(taskId) ?? 0))
    this.#work()
  }

  adopt(left: readonly LeftAttempt[]): readonly LeftAttempt[] {
    for (const { taskId } of left) {
      this.#known.set(taskId, this.#known.get(taskId) ?? { hasStarted: false })
      this.#adopts.add(taskId)
    }
    this.#work()
    return left
  }

  close(): void {
    this.#isClosed = true
    this.#stopLooking()
    this.#stopListening()
    void this.#queue.close()
  }

  /** A database that does not answer is asked again until it does; all that is said can be said twice without harm. */
  #work(): void {
    if (this.#isBusy || this.#isClosed) return
    this.#isBusy = true
    void (async () => {
      // Nothing is told from within a call to us.
      await Promise.resolve()
      while (!this.#isClosed && this.#hasWork())
        try {
          await this.#say()
          this.#hasTrouble = false
        } catch (error) {
          if (!this.#hasTrouble && !this.#isClosed)
            this.#listener?.note(`the queue does not answer, and is tried again: ${String(error)}`)
          this.#hasTrouble = true
          await new Promise<void>((resolve) => this.#clock.after(againSeconds, resolve))
        }
      this.#isBusy = false
    })()
  }

  #hasWork(): boolean {
    const sets = [this.#orders, this.#cancels, this.#adopts, this.#asks]
    return this.#isToLook || sets.some(({ size }) => size > 0)
  }

  async #say(): Promise<void> {
    const adopts = [...this.#adopts]
    if (adopts.length > 0) await withdraw(this.#queue.database, adopts)
    for (const taskId of adopts) this.#said(this.#adopts, taskId)
    const orders = [...this.#orders.values()]
    if (orders.length > 0) await this.#queue.submit(orders)
    for (const { id } of orders) this.#said(this.#orders, id)
    for (const [taskId, request] of this.#cancels) {
      await this.#queue.cancel(taskId, request)
      if (this.#cancels.get(taskId) === request) this.#said(this.#cancels, taskId)
    }
    const asks = [...this.#asks]
    if (asks.length > 0) await this.#tell(asks, 'all')
    for (const taskId of asks) this.#asks.delete(taskId)
    if (!this.#isToLook) return
    this.#isToLook = false
    await this.#tell([...this.#known.keys()], 'news')
  }

  /** The queue knows it; how it stands is told next. */
  #said(said: { delete(taskId: string): unknown }, taskId: string): void {
    said.delete(taskId)
    this.#asks.add(taskId)
  }

  #lookLater(): void {
    this.#stopLooking = this.#clock.after(lookSeconds, () => {
      this.#look()
      if (!this.#isClosed) this.#lookLater()
    })
  }

  #look(): void {
    if (this.#known.size === 0) return
    this.#isToLook = true
    this.#work()
  }

  async #tell(taskIds: readonly string[], what: 'all' | 'news'): Promise<void> {
    const standing = await standingOf(this.#queue.database, taskIds)
    for (const taskId of taskIds) {
      const found = standing.get(taskId)
      if (found !== undefined) this.#tellOne(taskId, found, what)
      else if (what === 'all') this.#listener?.unknown(taskId)
    }
  }

  #tellOne(taskId: string, standing: Standing, what: 'all' | 'news'): void {
    const listener = this.#listener
    const { state, reason } = standing
    if (isOver(state)) {
      this.#known.delete(taskId)
      const result = resultIn(standing.result)
      if (result !== undefined) this.#tellEnd(taskId, standing.result, result)
      else if (state === 'interrupted') listener?.gone(taskId, reason ?? 'its worker was lost')
      else listener?.ended(taskId, unstarted(state, reason))
      return
    }
    if (what === 'all') listener?.accepted(taskId, { executor: 'queue', folder: '' })
    const known = this.#known.get(taskId)
    if (!standing.hasStarted || (known?.hasStarted === true && what === 'news')) return
    if (known !== undefined) known.hasStarted = true
    listener?.started(taskId, { cpuPercent: null, memoryBytes: null })
  }

  /** Samples come once, before the end. */
  #tellEnd(taskId: string, text: string | null, result: AttemptResult): void {
    const rows = this.#sampled.has(taskId) ? undefined : seriesIn(text)
    this.#sampled.add(taskId)
    if (rows !== undefined) this.#listener?.sampled(taskId, rows.values, rows.count, rows.columns)
    this.#listener?.ended(taskId, result)
  }
}
