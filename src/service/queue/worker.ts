import { QueueError } from '../../store/postgres/queue/queue-error.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import { tellLeftWork } from './left-work.ts'
import type { WorkerMachine } from './running-attempts.ts'
import { WorkerExchange, type WorkerSettings } from './worker-exchange.ts'
import { WorkerLease } from './worker-lease.ts'

/** Whether there is something for it a worker asks so often, and those who lost the server try so often. */
const pollSeconds = 1
/** Who runs nothing, and hears when something arrives, asks so seldom: the news may get lost; */
const idleSeconds = 10
/** and at least so often, in shares of the lease. */
const idleShare = 1 / 3
/**
 * Each time that it was told of something and others had it, it waits so much longer after it has asked: of thousands of
 * workers with nothing to do only a few ask at a time.
 */
const inVainSeconds = 0.01
/** While short jobs come and go, what they have to tell is gathered for so long. */
const gatherSeconds = 0.03
/** Some lease is looked at so often, in shares of our own. */
const reapShare = 0.5
/** What is too old is let go of so often, */
const pruneSeconds = 3600
/** but not by workers that are there for a moment. */
const firstPruneSeconds = 60
/** The lease is renewed so often, in shares of it; */
const renewShare = 1 / 6
/** where that failed, again after so much of it. */
const renewAgainShare = 1 / 60

/** Takes jobs from the queue of a team and runs them here, under a lease, for as long as it lives. */
export class QueueWorker {
  readonly #machine: WorkerMachine
  readonly #queue: TeamQueue
  readonly #leaseSeconds: number
  readonly #note: (message: string) => void
  readonly #lease: WorkerLease
  readonly #exchange: WorkerExchange
  #isDraining = false
  #isOver = false
  readonly #over = Promise.withResolvers<void>()
  #hasTrouble = false
  /** Whether it is told when something arrives, as far as it knows. */
  #isTold = false
  /** It was, since it last began to ask. */
  #hasNews = false
  /** How often it was since it last got something, or since nothing arrived for long. */
  #toldInVain = 0
  /** For what it is told of it does not ask again before then. */
  #asksAgainAt = 0
  #reapedAt = 0
  #prunesAt: number
  #isMending = false
  #wake: (afterSeconds?: number) => void = () => {}

  constructor(
    machine: WorkerMachine,
    queue: TeamQueue,
    settings: WorkerSettings,
    note: (message: string) => void,
  ) {
    this.#machine = machine
    this.#queue = queue
    this.#leaseSeconds = settings.leaseSeconds
    this.#note = note
    this.#lease = new WorkerLease(
      machine.system,
      machine.ledger,
      settings.leaseSeconds,
      settings.team,
    )
    this.#prunesAt = this.#lease.now() + firstPruneSeconds
    const parts = { lease: this.#lease, onEnd: () => this.#wake(), note }
    this.#exchange = new WorkerExchange(machine, queue, settings, parts)
  }

  /** Resolves when nothing is left to do after `drain`. */
  async run(): Promise<void> {
    const { system } = this.#machine
    system.files.makeDirectories(this.#machine.logDirectory)
    await this.#exchange.join()
    const hears = (isTold: boolean) => (): void => {
      this.#isTold = isTold
      this.#hasNews = isTold
      const mayAsk = isTold && this.#exchange.isIdle
      if (mayAsk) this.#toldInVain += 1
      this.#wake(mayAsk ? this.#untilAskedAgain() : 0)
    }
    const stopListening = this.#queue.onArrivals(hears(true), hears(false))
    const renewing = this.#renewUntilOver()
    // Before we call anybody lost: what a worker before us on this ledger had to tell may still count.
    await this.#tellLeft()
    let wasQuiet = false
    while (!this.#isDraining || !this.#exchange.isIdle) {
      const began = system.clock.monotonicSeconds()
      this.#hasNews = false
      const hasMore = await this.#turn()
      // Something has arrived that it was not told of: a connection that looks sound may lead nowhere.
      if (hasMore && wasQuiet && !this.#hasNews) this.#isTold = false
      if (hasMore || wasQuiet) this.#toldInVain = 0
      const longest = Math.min(this.#idlePause(), this.#toldInVain * inVainSeconds)
      this.#asksAgainAt = began + longest * (0.5 + 0.5 * Math.random())
      const seconds = hasMore ? 0 : this.#untilNext(began)
      wasQuiet = !(await this.#pause(seconds)) && seconds > pollSeconds
    }
    stopListening()
    this.#isOver = true
    this.#over.resolve()
    await renewing
    await this.#queue.leave(this.#exchange.workerId).catch(() => {})
    this.#exchange.running.close()
    this.#lease.end()
  }

  /** Takes nothing more, and ends when all that runs has ended. */
  drain(): void {
    this.#isDraining = true
    this.#exchange.drain()
    this.#wake()
  }

  /** Ends what runs, for others to run again. */
  endJobs(): void {
    this.#exchange.running.interruptAll('its worker was stopped', 'asked')
  }

  async #turn(): Promise<boolean> {
    if (this.#lease.secondsLeft < 0) this.#lapse()
    try {
      await this.#tidy(this.#lease.now())
      const hasMore = await this.#exchange.turn()
      if (this.#hasTrouble) this.#note('the team database answers again')
      this.#hasTrouble = false
      return hasMore
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
      let share = renewShare
      try {
        if (!(await this.#queue.renew(this.#exchange.workerId))) {
          // It was lost, or is held by somebody for a moment.
          share = renewAgainShare
          this.#wake()
        } else if (!this.#lease.renewed(askedAt)) this.#lapse()
      } catch {
        // Whoever exchanges tells of it. If it goes on, the lease ends.
        share = renewAgainShare
      }
      let cancel = (): void => {}
      const rest = new Promise<void>((resolve) => {
        cancel = clock.after(this.#leaseSeconds * share, resolve)
      })
      await Promise.race([rest, this.#over.promise])
      cancel()
    }
  }

  /** The guard may have ended any of our jobs, and others may have them: how they end says nothing. */
  #lapse(): void {
    this.#exchange.running.interruptAll('its worker lost its lease', 'killed')
  }

  /** What of others nobody else may see to. */
  async #tidy(now: number): Promise<void> {
    if (now - this.#reapedAt >= this.#leaseSeconds * reapShare) {
      this.#reapedAt = now
      await this.#queue.reap()
      void this.#mend()
    }
    if (now < this.#prunesAt) return
    this.#prunesAt = now + pruneSeconds
    void this.#tellLeft()
    // Jobs do not wait for it, and somebody who reads for long may keep it from being done: then another time.
    void this.#queue.prune().catch(() => 0)
  }

  /** It is tried again when we prune; the jobs run in any case. */
  async #tellLeft(): Promise<void> {
    await tellLeftWork(this.#machine, this.#queue).catch(() => {})
  }

  /** Nothing waits for it, and it may be much. */
  async #mend(): Promise<void> {
    if (this.#isMending) return
    this.#isMending = true
    await this.#queue.mend().catch(() => {})
    this.#isMending = false
  }

  async #trouble(met: unknown): Promise<void> {
    if (met instanceof QueueError && met.code === 'lease-lost') {
      this.#note(met.message)
      this.#lapse()
      await this.#exchange.startAnew()
      return
    }
    if (this.#hasTrouble) return
    this.#hasTrouble = true
    this.#note(`the team database does not answer: ${whatHappened(met)}`)
  }

  #untilNext(began: number): number {
    const { clock } = this.#machine.system
    if (this.#hasTrouble) return Math.min(pollSeconds, this.#leaseSeconds / 10)
    if (this.#exchange.hasEnds)
      return Math.max(
        0,
        began + (this.#exchange.isBusy ? gatherSeconds : 0) - clock.monotonicSeconds(),
      )
    if (this.#isTold && this.#exchange.isIdle && !this.#isDraining)
      return this.#hasNews ? this.#untilAskedAgain() : this.#idlePause()
    return Math.min(pollSeconds, this.#leaseSeconds / 5)
  }

  /** Workers that were started together do not ask together for ever. */
  #idlePause(): number {
    const longest = Math.min(idleSeconds, this.#leaseSeconds * idleShare)
    return longest * (0.8 + 0.2 * Math.random())
  }

  #untilAskedAgain(): number {
    return Math.max(0, this.#asksAgainAt - this.#machine.system.clock.monotonicSeconds())
  }

  /** Until something has happened, or for so long; answers whether something has. */
  #pause(seconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const { clock } = this.#machine.system
      const began = clock.monotonicSeconds()
      let cancel = clock.after(seconds, () => resolve(false))
      this.#wake = (afterSeconds = 0) => {
        const passed = clock.monotonicSeconds() - began
        // Others may end as well in this moment, and can be told together.
        const left = this.#exchange.isBusy ? gatherSeconds - passed : afterSeconds
        cancel()
        cancel = clock.after(Math.max(0, Math.min(left, seconds - passed)), () => resolve(true))
      }
    })
  }
}

/** Without the address, in which there may be a password. */
function whatHappened(error: unknown): string {
  if (!(error instanceof Error)) return ''
  // What pg says of a connection that the server cut, be it because we got no turn in the middle of an exchange.
  if (error.message.includes('is not queryable'))
    return 'it cut the connection, as it does where a worker gets no CPU time for seconds'
  return error.message.replace(/postgres(ql)?:\/\/\S+/g, 'postgres://…')
}
