import type { PackedRows } from '../../../model/queue-result.ts'
import { isOver, type QueueSubmission } from '../../../model/queue.ts'
import { QueueError } from '../../../store/postgres/queue/queue-error.ts'
import { standingOf, withdraw, type JobStanding } from '../../../store/postgres/queue/standing.ts'
import type { TeamQueue } from '../../../store/postgres/queue/team-queue.ts'
import { asTeamError } from '../../../store/postgres/team-error.ts'
import type { Clock } from '../../../system/system.ts'
import type {
  Asking,
  AttemptOrder,
  AttemptResult,
  Executor,
  ExecutorListener,
  LeftAttempt,
} from '../../run/executor.ts'
import { neverStarted } from '../never-started.ts'
import { MessageLine } from './message-line.ts'
import type { QueueHandle, QueueName } from './queue-handle.ts'
import { unpackRows } from './packed-rows.ts'
import { attemptSubmission } from './attempt-submission.ts'
import { submitOrRefuse } from './submit-or-refuse.ts'
import { toldEnd } from './told-end.ts'

/** Whoever was not told looks so often. */
const lookSeconds = 1

interface QueueExecutorSettings {
  /** In the handles of its attempts. */
  readonly name: QueueName
  readonly user: string
  readonly priority: number
  readonly labels: readonly string[]
  readonly patience?: Pick<Asking, 'afterSeconds' | 'giveUpSeconds'>
}

interface Known {
  hasStarted: boolean
}

type LineName = 'orders' | 'cancels' | 'withdrawals' | 'questions' | 'looks'

/**
 * Has attempts run by the workers of a team. An attempt is a job of the queue with the same id, which is run once: whether it is
 * tried again is for the runner of its workflow to say. It outlives nobody: who comes after it finds all of it in the queue.
 *
 * A database that does not answer is asked again until it does; all that is said can be said twice without harm.
 */
export class QueueExecutor implements Executor {
  readonly asking: Asking
  readonly #queue: TeamQueue
  readonly #clock: Clock
  readonly #settings: QueueExecutorSettings
  readonly #handle: QueueHandle
  /** Those that are not over, as far as we know. */
  readonly #known = new Map<string, Known>()
  /** Whose samples were told. */
  readonly #sampled = new Set<string>()
  #listener: ExecutorListener | undefined
  readonly #orders: MessageLine<QueueSubmission>
  readonly #cancels: MessageLine<number>
  readonly #withdrawals: MessageLine<null>
  readonly #questions: MessageLine<null>
  readonly #looks: MessageLine<null>
  /** What the user was told of lines in which nothing goes on. */
  readonly #troubles = new Map<LineName, string>()
  #isClosed = false
  #stopLooking: () => void = () => {}
  readonly #stopListening: () => void

  constructor(queue: TeamQueue, clock: Clock, settings: QueueExecutorSettings) {
    this.#queue = queue
    this.#clock = clock
    this.#settings = settings
    this.#handle = { executor: 'queue', queue: settings.name }
    this.#orders = this.#line('orders', (orders) => this.#submit([...orders.values()]))
    this.#cancels = this.#line('cancels', (cancels) => this.#cancel(cancels))
    this.#withdrawals = this.#line('withdrawals', async (left) => {
      await withdraw(queue.database, [...left.keys()], 'interrupted')
      this.#askFor(left.keys())
    })
    this.#questions = this.#line('questions', (asked) => this.#tell([...asked.keys()], 'all'))
    this.#looks = this.#line('looks', () => this.#tell([...this.#known.keys()], 'news'))
    this.asking = {
      ...(settings.patience ?? { afterSeconds: 30, giveUpSeconds: 7 * 86_400 }),
      ask: (taskIds) => this.#askFor(taskIds),
    }
    this.#stopListening = queue.onEndings(() => this.#look())
    this.#lookLater()
  }

  tellTo(listener: ExecutorListener): void {
    this.#listener = listener
  }

  start(order: AttemptOrder): void {
    const { taskId } = order
    if (this.#known.has(taskId)) {
      this.#askFor([taskId])
      return
    }
    this.#known.set(taskId, { hasStarted: false })
    this.#orders.add(taskId, attemptSubmission(order, this.#settings))
    // What is needed to find it again is kept before the queue has it.
    queueMicrotask(() => {
      if (!this.#isClosed) this.#listener?.accepted(taskId, this.#handle)
    })
  }

  cancel(taskId: string, _: NodeJS.Signals, request: number): void {
    // It may be on its way, or have arrived without our knowing.
    this.#orders.takeBack(taskId)
    this.#cancels.add(taskId, Math.max(request, this.#cancels.get(taskId) ?? 0))
  }

  adopt(left: readonly LeftAttempt[]): readonly LeftAttempt[] {
    for (const { taskId } of left) {
      this.#known.set(taskId, this.#known.get(taskId) ?? { hasStarted: false })
      this.#withdrawals.add(taskId, null)
    }
    return left
  }

  close(): void {
    this.#isClosed = true
    this.#stopLooking()
    this.#stopListening()
    for (const line of [this.#orders, this.#cancels, this.#withdrawals]) line.close()
    for (const line of [this.#questions, this.#looks]) line.close()
    void this.#queue.close()
  }

  #line<Message>(
    name: LineName,
    send: (messages: ReadonlyMap<string, Message>) => Promise<void>,
  ): MessageLine<Message> {
    return new MessageLine(this.#clock, send, {
      failed: (error) => this.#failed(name, error),
      sent: () => this.#went(name),
    })
  }

  #failed(name: LineName, error: unknown): void {
    const says = troubleIn(error, this.#handle.queue.address)
    const isNews = ![...this.#troubles.values()].includes(says)
    this.#troubles.set(name, says)
    if (isNews) this.#listener?.trouble(says)
  }

  #went(name: LineName): void {
    const hadTrouble = this.#troubles.delete(name)
    if (hadTrouble && name === 'orders') this.#listener?.note('the queue takes jobs again')
  }

  async #submit(orders: readonly QueueSubmission[]): Promise<void> {
    const refused = await submitOrRefuse(this.#queue, this.#handle.queue.address, orders)
    for (const { id, order } of orders) {
      const why = refused.get(id)
      if (why === undefined) this.#askFor([id])
      else this.#endUnsent(id, why, order.intervalSeconds)
    }
  }

  #endUnsent(taskId: string, why: string, intervalSeconds: number | null): void {
    this.#known.delete(taskId)
    const result = neverStarted('error', `the queue refuses it: ${why}`, intervalSeconds)
    this.#listener?.ended(taskId, { ...result, endedAt: this.#clock.wallSeconds() })
  }

  /** Those that have not arrived never begin. */
  async #cancel(cancels: ReadonlyMap<string, number>): Promise<void> {
    await withdraw(this.#queue.database, [...cancels.keys()], 'cancelled')
    for (const [taskId, request] of cancels) await this.#queue.cancel(taskId, request)
    this.#askFor(cancels.keys())
  }

  #askFor(taskIds: Iterable<string>): void {
    for (const taskId of taskIds) this.#questions.add(taskId, null)
  }

  #lookLater(): void {
    this.#stopLooking = this.#clock.after(lookSeconds, () => {
      this.#look()
      if (!this.#isClosed) this.#lookLater()
    })
  }

  #look(): void {
    if (this.#known.size > 0) this.#looks.add('all of them', null)
  }

  async #tell(taskIds: readonly string[], what: 'all' | 'news'): Promise<void> {
    const standing = await standingOf(this.#queue.database, taskIds)
    if (this.#isClosed) return
    for (const taskId of taskIds) {
      const found = standing.get(taskId)
      if (found !== undefined) this.#tellOne(taskId, found, what)
      else if (this.#orders.has(taskId)) this.#listener?.accepted(taskId, this.#handle)
      else if (what === 'all') this.#listener?.unknown(taskId)
    }
  }

  #tellOne(taskId: string, standing: JobStanding, what: 'all' | 'news'): void {
    const listener = this.#listener
    const { state } = standing
    if (isOver(state)) {
      this.#known.delete(taskId)
      const end = toldEnd(state, standing)
      if (end.kind === 'gone') listener?.gone(taskId, end.why)
      else this.#tellEnd(taskId, end.result, end.series)
      return
    }
    if (what === 'all') listener?.accepted(taskId, this.#handle)
    const known = this.#known.get(taskId)
    if (!standing.hasStarted || (known?.hasStarted === true && what === 'news')) return
    if (known !== undefined) known.hasStarted = true
    listener?.started(taskId, { cpuPercent: null, memoryBytes: null })
  }

  /** Samples come once, before the end. */
  #tellEnd(taskId: string, result: AttemptResult, series: PackedRows | undefined): void {
    if (series !== undefined && !this.#sampled.has(taskId)) {
      const { count, values, columns, devices } = unpackRows(series)
      if (count > 0) this.#listener?.sampled(taskId, values, count, columns)
      if (devices.length > 0) this.#listener?.devicesSampled(taskId, devices)
    }
    this.#sampled.add(taskId)
    this.#listener?.ended(taskId, result)
  }
}

function troubleIn(error: unknown, address: string): string {
  if (error instanceof QueueError && error.code === 'draining')
    return 'the queue is being drained: jobs that are to begin wait until it is opened again (jobmeter queue resume)'
  const { code, message } = asTeamError(error, address)
  const what = code === 'unreachable' ? 'does not answer' : 'cannot be used'
  return `the queue ${what}, and is tried again: ${message}`
}
