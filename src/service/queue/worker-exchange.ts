import type { WorkerRoom } from '../../store/postgres/queue/choose-lanes.ts'
import type { EndedAttempt, ExchangeAnswer } from '../../store/postgres/queue/exchange.ts'
import type { LogPiece } from '../../store/postgres/queue/logs.ts'
import type { TakenAttempt, Taker } from '../../store/postgres/queue/take.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import { UntoldResults } from '../../store/untold/untold-results.ts'
import type { Capacity } from '../../workflow/run/capacity.ts'
import type { Admission } from './admission.ts'
import { JobPace, shortSeconds } from './job-pace.ts'
import { LogRoom } from './log-room.ts'
import { RunningAttempts, type WorkerMachine } from './running-attempts.ts'
import { TakenAhead } from './taken-ahead.ts'
import type { WorkerLease } from './worker-lease.ts'
import { resultsPathFor, WorkerLogs } from './worker-logs.ts'

export interface WorkerSettings {
  readonly capacity: Capacity
  readonly labels: readonly string[]
  readonly leaseSeconds: number
  /** The address of the queue. */
  readonly team: string
  /** What it accepts. */
  readonly admission: Admission
}

interface ExchangeParts {
  readonly lease: WorkerLease
  /** An attempt has ended: there is something to tell. */
  readonly onEnd: () => void
  readonly note: (message: string) => void
}

/** No more at once. */
const mostTaken = 256
/** What was taken ahead and did not get its turn is for others after so long. */
const aheadSeconds = 5

/**
 * What a worker and the queue tell each other: which attempts have ended, and which are to begin. Begins those when there is
 * room for them, also between two exchanges.
 */
export class WorkerExchange {
  readonly running: RunningAttempts
  readonly #machine: WorkerMachine
  readonly #queue: TeamQueue
  readonly #settings: WorkerSettings
  readonly #parts: ExchangeParts
  readonly #logs: WorkerLogs
  readonly #pace = new JobPace()
  #worker: Taker
  readonly #ahead = new TakenAhead()
  /** What is not ours to begin any more, and how often each was passed over. */
  readonly #givesBack = new Map<string, number>()
  #ends: EndedAttempt[] = []
  /** Of attempts that others may have by now. */
  #late: EndedAttempt[] = []
  readonly #untold: UntoldResults
  readonly #logRoom: LogRoom
  /** Why we take nothing, as the queue knows it. */
  #toldTrouble: string | null = null
  #isDraining = false
  /** An answer may have got lost, with jobs in it. */
  #isUncertain = false

  constructor(
    machine: WorkerMachine,
    queue: TeamQueue,
    settings: WorkerSettings,
    parts: ExchangeParts,
  ) {
    this.#machine = machine
    this.#queue = queue
    this.#settings = settings
    this.#parts = parts
    this.#logs = new WorkerLogs(machine.system.files)
    this.#untold = new UntoldResults(resultsPathFor(machine.logDirectory, parts.lease.sign))
    this.#logRoom = new LogRoom(machine.system, machine.logDirectory)
    const ended = (end: EndedAttempt, lane: number, seconds: number): void =>
      this.#ended(end, lane, seconds)
    const hears = { ended, note: parts.note }
    this.running = new RunningAttempts(machine, settings.capacity, {
      lease: parts.lease,
      logs: this.#logs,
      hears,
    })
    this.#worker = this.#newWorker()
  }

  /** Under which the queue knows us; another one after a lease was lost. */
  get workerId(): string {
    return this.#worker.id
  }

  get hasEnds(): boolean {
    return this.#ends.length > 0
  }

  /** Whether there are jobs that wait here for others to end. */
  get isBusy(): boolean {
    return this.#ahead.count > 0
  }

  /** Whether nothing runs, waits or is to be told. */
  get isIdle(): boolean {
    const told = this.#ends.length + this.#late.length
    return this.running.count + told + this.#ahead.count + this.#givesBack.size === 0
  }

  join(): Promise<void> {
    return this.#queue.join(this.#worker.id, this.#worker)
  }

  /** Takes nothing more. */
  drain(): void {
    this.#isDraining = true
  }

  /** One exchange with the database; whether there is reason for another at once. */
  async turn(): Promise<boolean> {
    // The record of what the queue is about to hear is on this machine first.
    this.running.keepRecords()
    const ends = this.#ends.splice(0)
    this.#noteUntold(ends)
    try {
      await this.#sendLogs(ends)
      await this.#tellLate()
      await this.#tellTrouble()
      const answer = await this.#exchange(ends)
      this.#areTold(ends)
      this.#hear(answer)
      return answer.taken.length > 0 && this.running.count + this.#ahead.count < mostTaken
    } catch (error) {
      this.#ends.unshift(...ends)
      this.#isUncertain = true
      throw error
    }
  }

  /** Others have, or will have, what we had: goes on as another worker. */
  async startAnew(): Promise<void> {
    this.#late.push(...this.#ends.splice(0))
    this.#ahead.clear()
    this.#givesBack.clear()
    this.#worker = this.#newWorker()
    this.#toldTrouble = null
    await this.join().catch(() => {})
  }

  #newWorker(): Taker {
    const { system, machine } = this.#machine
    const { labels, leaseSeconds, admission } = this.#settings
    const { capacity } = this.running
    return {
      id: system.randomId(),
      host: machine.host,
      user: system.host.user,
      cpus: capacity.cpus,
      memoryBytes: Math.min(capacity.memoryBytes, 2 ** 62),
      gpus: capacity.gpus,
      labels,
      leaseSeconds,
      accepts: (kind) => admission.accepts(kind),
      rules: admission.text,
    }
  }

  /** All that is left of what has ended, and some of what goes on. */
  async #sendLogs(ends: readonly EndedAttempt[]): Promise<void> {
    const over = [...this.#late, ...ends].map(({ taskId }) => taskId)
    for (const pieces of this.#logs.rest(over)) await this.#keepLogs(pieces)
    await this.#keepLogs(this.#logs.news(this.running.taskIds))
  }

  async #keepLogs(pieces: readonly LogPiece[]): Promise<void> {
    if (pieces.length === 0) return
    await this.#queue.keepLogs(pieces).catch((error: unknown) => {
      this.#logs.takeBack(pieces)
      throw error
    })
  }

  #noteUntold(ends: readonly EndedAttempt[]): void {
    const { id: workerId } = this.#worker
    const logsOf = (taskId: string) => this.#logs.pathsOf(taskId) ?? null
    this.#untold.note(ends.map((end) => ({ workerId, end, logs: logsOf(end.taskId) })))
  }

  #areTold(ends: readonly EndedAttempt[]): void {
    this.#untold.areTold(ends)
    for (const { taskId } of ends) this.#logs.forget(taskId, this.#machine.logDirectory)
  }

  async #tellLate(): Promise<void> {
    const late = this.#late
    if (late.length === 0) return
    if (!(await this.#queue.keepLate(this.#worker.id, late))) return
    this.#areTold(late)
    this.#late = []
  }

  /** A worker that fails all that it takes would fail the jobs of everybody. */
  async #tellTrouble(): Promise<void> {
    const { trouble } = this.#logRoom
    if (trouble === this.#toldTrouble) return
    await this.#queue.tellTrouble(this.#worker.id, trouble)
    this.#toldTrouble = trouble
    this.#parts.note(trouble === null ? 'takes jobs again' : `takes no more jobs: ${trouble}`)
  }

  async #exchange(ends: readonly EndedAttempt[]): Promise<ExchangeAnswer> {
    this.#setAside()
    const givesBack = [...this.#givesBack].map(([taskId, passedOver]) => ({ taskId, passedOver }))
    const known = [
      ...this.#givesBack.keys(),
      ...this.running.taskIds,
      ...[...ends, ...this.#ends].map(({ taskId }) => taskId),
      ...this.#ahead.taskIds,
    ]
    const started = this.running.newlyStarted()
    const { clock } = this.#machine.system
    const began = clock.monotonicSeconds()
    const answer = await this.#queue.exchange({
      worker: this.#worker,
      isDraining: this.#isDraining,
      ends,
      started,
      givesBack,
      known: this.#isUncertain ? known : null,
      room: this.#takesNothing ? null : this.#room(),
    })
    this.#pace.exchangeTook(clock.monotonicSeconds() - began)
    this.running.areTold(started)
    for (const { taskId } of givesBack) this.#givesBack.delete(taskId)
    this.#isUncertain = false
    return answer
  }

  get #takesNothing(): boolean {
    return this.#isDraining || this.#logRoom.trouble !== null
  }

  /** From now on they are not ours to begin: while the database hears of it, there may be room for one of them. */
  #setAside(): void {
    const since = this.#takesNothing ? Infinity : this.#parts.lease.now() - aheadSeconds
    for (const { taskId, passedOver } of this.#ahead.removeOlder(since))
      this.#givesBack.set(taskId, passedOver)
  }

  #room(): WorkerRoom {
    const none = { cpus: 0, memoryBytes: 0, gpus: 0 }
    const lanes = this.#pace.shortLanes
    const soon = this.running.soon(lanes, shortSeconds)
    const most = Math.max(0, this.#pace.ahead(soon.count) - this.#ahead.count)
    const isFree = !this.#ahead.needsRoom((taken) => this.running.fits(taken))
    return {
      free: isFree ? this.running.free : none,
      most: mostTaken,
      ahead: { most, free: soon.free, lanes },
    }
  }

  #hear({ taken, cancels }: ExchangeAnswer): void {
    const at = this.#parts.lease.now()
    for (const each of taken) {
      // By what it is, and not by where it waited: whoever can write to the database could have said anything there.
      const order = this.#settings.admission.admit(each)
      if (typeof order !== 'string') this.#ahead.add({ ...each, order }, at)
      else this.#endUnstarted(each.taskId, 'error', order)
    }
    for (const [taskId, requests] of cancels) {
      if (this.#givesBack.has(taskId)) continue
      if (this.#ahead.remove(taskId))
        this.#endUnstarted(taskId, 'cancelled', 'cancelled before it began')
      else this.running.cancel(taskId, requests)
    }
    this.#startNext()
  }

  #endUnstarted(taskId: string, status: string, reason: string): void {
    this.#ends.push({ taskId, status, exitCode: null, reason, result: null })
  }

  #startNext(): void {
    const fits = (taken: TakenAttempt): boolean =>
      this.#parts.lease.secondsLeft >= 0 &&
      this.#logRoom.trouble === null &&
      this.running.fits(taken)
    for (let next = this.#ahead.next(fits); next !== undefined; next = this.#ahead.next(fits)) {
      this.running.start(next)
    }
  }

  #ended(end: EndedAttempt, lane: number, seconds: number): void {
    this.#ends.push(end)
    this.#pace.jobTook(lane, seconds)
    this.#startNext()
    this.#parts.onEnd()
  }
}
