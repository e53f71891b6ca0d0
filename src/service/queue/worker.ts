import { dirname } from 'node:path'
import { programOf } from '../../store/postgres/queue/lanes.ts'
import { QueueError } from '../../store/postgres/queue/queue-error.ts'
import type { EndedAttempt, ExchangeAnswer } from '../../store/postgres/queue/exchange.ts'
import type { TakenAttempt, Taker } from '../../store/postgres/queue/take.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import type { Capacity } from '../../workflow/run/capacity.ts'
import type { JobKind, WorkerRules } from '../../workflow/worker-rules/read-worker-rules.ts'
import { JobPace } from './job-pace.ts'
import { RunningAttempts, type WorkerMachine } from './running-attempts.ts'
import { WorkerLease } from './worker-lease.ts'
import { WorkerLogs } from './worker-logs.ts'

export interface WorkerSettings {
  readonly capacity: Capacity
  readonly labels: readonly string[]
  readonly leaseSeconds: number
  /** What it accepts. */
  readonly rules: WorkerRules
}

/** A worker without anything to do asks so often, and those who lost the server try so often. */
const pollSeconds = 1
/** No more at once. */
const mostTaken = 256
/** While short jobs come and go, what they have to tell is gathered for so long. */
const gatherSeconds = 0.03
/** What was taken ahead and did not get its turn is for others after so long. */
const aheadSeconds = 5
/** Some lease is looked at so often, in shares of our own. */
const reapShare = 0.5
/** The lease is renewed so often, in shares of it. */
const renewShare = 1 / 6

/** Takes jobs from the queue of a team and runs them here, under a lease that it renews by each exchange with the database. */
export class QueueWorker {
  readonly #machine: WorkerMachine
  readonly #queue: TeamQueue
  readonly #settings: WorkerSettings
  readonly #note: (message: string) => void
  readonly #lease: WorkerLease
  readonly #logs: WorkerLogs
  readonly #running: RunningAttempts
  readonly #pace: JobPace
  #worker: Taker
  /** Taken, and not begun. */
  #ahead: { readonly taken: TakenAttempt; readonly at: number }[] = []
  readonly #givesBack = new Set<string>()
  #ends: EndedAttempt[] = []
  /** Of attempts that others may have by now. */
  #late: EndedAttempt[] = []
  #isDraining = false
  #isOver = false
  /** An answer may have got lost, with jobs in it. */
  #isUncertain = false
  #hasTrouble = false
  #reapedAt = 0
  #wake: () => void = () => {}

  constructor(
    machine: WorkerMachine,
    queue: TeamQueue,
    settings: WorkerSettings,
    note: (message: string) => void,
  ) {
    this.#machine = machine
    this.#queue = queue
    this.#settings = settings
    this.#note = note
    const { system, ledger } = machine
    this.#lease = new WorkerLease(system, ledger, settings.leaseSeconds)
    this.#logs = new WorkerLogs(system.files)
    this.#pace = new JobPace()
    const hears = {
      ended: (end: EndedAttempt, seconds: number) => this.#ended(end, seconds),
      note,
    }
    const parts = { lease: this.#lease, logs: this.#logs, hears }
    this.#running = new RunningAttempts(machine, settings.capacity, parts)
    this.#worker = this.#newWorker()
  }

  /** Resolves when nothing is left to do after `drain`. */
  async run(): Promise<void> {
    const { system } = this.#machine
    system.files.makeDirectories(this.#machine.logDirectory)
    await this.#queue.join(this.#worker.id, this.#worker)
    const stopListening = this.#queue.onArrivals(() => this.#wake())
    const renewing = this.#renewUntilOver()
    while (!this.#isDone()) {
      const began = system.clock.monotonicSeconds()
      const hasMore = await this.#turn()
      await this.#pause(hasMore ? 0 : this.#untilNext(began))
    }
    stopListening()
    this.#isOver = true
    await renewing
    await this.#queue.leave(this.#worker.id).catch(() => {})
    this.#running.close()
    this.#lease.end()
  }

  /** Takes nothing more, and ends when all that runs has ended. */
  drain(): void {
    this.#isDraining = true
    this.#wake()
  }

  /** Ends what runs, for others to run again. */
  endJobs(): void {
    this.#running.interruptAll('its worker was stopped', 'asked')
  }

  #newWorker(): Taker {
    const { system, machine } = this.#machine
    const { labels, leaseSeconds, rules } = this.#settings
    const { free } = this.#running
    return {
      id: system.randomId(),
      host: machine.host,
      user: system.host.user,
      cpus: free.cpus,
      memoryBytes: Math.min(free.memoryBytes, 2 ** 62),
      gpus: free.gpus,
      labels,
      leaseSeconds,
      accepts: (kind) => rules(kind) === undefined,
      rules: rules.text,
    }
  }

  #isDone(): boolean {
    const isIdle = this.#running.count === 0 && this.#ends.length === 0 && this.#late.length === 0
    return this.#isDraining && isIdle && this.#ahead.length + this.#givesBack.size === 0
  }

  /** One exchange with the database; whether there is reason for another at once. */
  async #turn(): Promise<boolean> {
    if (this.#lease.secondsLeft < 0) this.#lapse()
    try {
      await this.#reap(this.#lease.now())
      await this.#sendLogs()
      await this.#tellLate()
      const ends = this.#ends.splice(0)
      const answer = await this.#exchange(ends).catch((error: unknown) => {
        this.#ends.unshift(...ends)
        throw error
      })
      for (const { taskId } of ends) this.#logs.forget(taskId, this.#isOurLog(taskId))
      this.#hear(answer)
      if (this.#hasTrouble) this.#note('the team database answers again')
      this.#hasTrouble = false
      return answer.taken.length > 0 && this.#running.count + this.#ahead.length < mostTaken
    } catch (error) {
      await this.#trouble(error)
      return false
    }
  }

  /** Apart from all that may take long: a busy database must not cost us our jobs. */
  async #renewUntilOver(): Promise<void> {
    const { clock } = this.#machine.system
    while (!this.#isOver) {
      const askedAt = this.#lease.now()
      try {
        if (!(await this.#queue.renew(this.#worker.id))) this.#wake()
        else if (!this.#lease.renewed(askedAt)) this.#lapse()
      } catch {
        // Whoever exchanges tells of it. If it goes on, the lease ends.
      }
      await new Promise<void>((resolve) =>
        clock.after(this.#settings.leaseSeconds * renewShare, resolve),
      )
    }
  }

  /** The guard may have ended any of our jobs, and others may have them: how they end says nothing. */
  #lapse(): void {
    this.#running.interruptAll('its worker lost its lease', 'killed')
  }

  readonly #ourLogs = new Set<string>()
  #isOurLog(taskId: string): boolean {
    return this.#ourLogs.delete(taskId)
  }

  async #exchange(ends: readonly EndedAttempt[]): Promise<ExchangeAnswer> {
    this.#setAside()
    const givesBack = [...this.#givesBack]
    const known = [
      ...givesBack,
      ...this.#running.taskIds,
      ...ends.map(({ taskId }) => taskId),
      ...this.#ahead.map(({ taken }) => taken.taskId),
    ]
    const { clock } = this.#machine.system
    const began = clock.monotonicSeconds()
    const answer = await this.#queue.exchange({
      worker: this.#worker,
      isDraining: this.#isDraining,
      ends,
      started: this.#running.newlyStarted(),
      givesBack,
      known: this.#isUncertain ? known : null,
      room: this.#isDraining ? null : this.#room(),
    })
    this.#pace.exchangeTook(clock.monotonicSeconds() - began)
    for (const taskId of givesBack) this.#givesBack.delete(taskId)
    this.#isUncertain = false
    return answer
  }

  /** From now on they are not ours to begin: while the database hears of it, there may be room for one of them. */
  #setAside(): void {
    const now = this.#lease.now()
    const isLate = ({ at }: { readonly at: number }): boolean =>
      this.#isDraining || now - at > aheadSeconds
    for (const { taken } of this.#ahead.filter(isLate)) this.#givesBack.add(taken.taskId)
    this.#ahead = this.#ahead.filter((each) => !isLate(each))
  }

  #room() {
    const none = { cpus: 0, memoryBytes: 0, gpus: 0 }
    const ahead = Math.max(0, this.#pace.ahead(this.#running.count) - this.#ahead.length)
    const free = this.#ahead.length > 0 ? none : this.#running.free
    return { free, ahead, most: mostTaken }
  }

  #hear({ taken, cancels }: ExchangeAnswer): void {
    const at = this.#lease.now()
    for (const each of taken) {
      // By what it is, and not by where it waited: whoever can write to the database could have said anything there.
      const refusal = this.#settings.rules(kindOf(each))
      if (refusal === undefined) this.#ahead.push({ taken: each, at })
      else this.#endUnstarted(each.taskId, 'error', refusal)
    }
    for (const [taskId, requests] of cancels) {
      if (this.#givesBack.has(taskId)) continue
      const waiting = this.#ahead.findIndex((each) => each.taken.taskId === taskId)
      if (waiting < 0) this.#running.cancel(taskId, requests)
      else {
        this.#ahead.splice(waiting, 1)
        this.#endUnstarted(taskId, 'cancelled', 'cancelled before it began')
      }
    }
    this.#startNext()
  }

  #endUnstarted(taskId: string, status: string, reason: string): void {
    this.#ends.push({ taskId, status, exitCode: null, reason, result: null })
  }

  #startNext(): void {
    for (let next = this.#ahead[0]; next !== undefined; next = this.#ahead[0]) {
      if (this.#lease.secondsLeft < 0 || !this.#running.fits(next.taken)) return
      this.#ahead.shift()
      if (next.taken.order.attempt === undefined) this.#ourLogs.add(next.taken.taskId)
      this.#running.start(next.taken)
    }
  }

  #ended(end: EndedAttempt, seconds: number): void {
    this.#ends.push(end)
    this.#pace.jobTook(seconds)
    this.#startNext()
    this.#wake()
  }

  async #sendLogs(): Promise<void> {
    const over = this.#ends.map(({ taskId }) => taskId)
    const pieces = this.#logs.collect([...over, ...this.#running.taskIds])
    if (pieces.length === 0) return
    await this.#queue.keepLogs(pieces).catch((error: unknown) => {
      this.#logs.takeBack(pieces)
      throw error
    })
  }

  async #tellLate(): Promise<void> {
    if (this.#late.length === 0) return
    await this.#queue.keepLate(this.#worker.id, this.#late)
    this.#late = []
  }

  async #reap(now: number): Promise<void> {
    if (now - this.#reapedAt < this.#settings.leaseSeconds * reapShare) return
    this.#reapedAt = now
    await this.#queue.reap()
  }

  async #trouble(met: unknown): Promise<void> {
    this.#isUncertain = true
    if (met instanceof QueueError && met.code === 'lease-lost') {
      this.#note(met.message)
      this.#lapse()
      this.#late.push(...this.#ends.splice(0))
      this.#ahead = []
      this.#givesBack.clear()
      this.#worker = this.#newWorker()
      await this.#queue.join(this.#worker.id, this.#worker).catch(() => {})
      return
    }
    if (this.#hasTrouble) return
    this.#hasTrouble = true
    this.#note(`the team database does not answer: ${whatHappened(met)}`)
  }

  #untilNext(began: number): number {
    const { clock } = this.#machine.system
    if (this.#hasTrouble) return Math.min(pollSeconds, this.#settings.leaseSeconds / 10)
    if (this.#ends.length > 0)
      return Math.max(
        0,
        began + (this.#ahead.length > 0 ? gatherSeconds : 0) - clock.monotonicSeconds(),
      )
    return Math.min(pollSeconds, this.#settings.leaseSeconds / 5)
  }

  /** Until something has happened, or for so long. */
  #pause(seconds: number): Promise<void> {
    return new Promise((resolve) => {
      const { clock } = this.#machine.system
      const began = clock.monotonicSeconds()
      let cancel = clock.after(seconds, resolve)
      this.#wake = () => {
        // Others may end as well in this moment, and can be told together.
        const left = this.#ahead.length > 0 ? began + gatherSeconds - clock.monotonicSeconds() : 0
        cancel()
        cancel = clock.after(Math.max(0, Math.min(left, seconds)), resolve)
      }
    })
  }
}

const kindOf = ({ user, order }: TakenAttempt): JobKind => ({
  user,
  tool: order.tool,
  program: programOf(order.command),
  image: order.image,
})

/** Without the address, in which there may be a password. */
const whatHappened = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/postgres(ql)?:\/\/\S+/g, 'postgres://…') : ''

/** Where what the jobs of a worker print goes, beside its ledger. */
export const logDirectoryFor = (ledger: string): string => `${dirname(ledger)}/queue-logs`
