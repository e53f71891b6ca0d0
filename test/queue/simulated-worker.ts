import { fitsIn, claimOf, together, type Claim } from '../../src/model/claim.ts'
import { JobPace, shortSeconds } from '../../src/service/queue/job-pace.ts'
import { TakenAhead } from '../../src/service/queue/taken-ahead.ts'
import type { EndedAttempt } from '../../src/store/postgres/queue/exchange.ts'
import type { TakenAttempt, Taker } from '../../src/store/postgres/queue/take.ts'
import type { TeamQueue } from '../../src/store/postgres/queue/team-queue.ts'

interface Running {
  readonly taken: TakenAttempt
  readonly since: number
  readonly until: number
}

const aheadSeconds = 5
const claim = ({ order }: TakenAttempt): Claim => claimOf(order.requirements)

/** A worker that runs nothing: its jobs last as long as they say, by a clock that the test moves on. */
export class SimulatedWorker {
  /** Each job as often as it began, in order. */
  readonly begun: string[] = []
  /** The most that one exchange brought. */
  mostTaken = 0
  readonly #queue: TeamQueue
  readonly #taker: Taker
  readonly #secondsOf: (jobId: string) => number
  readonly #ahead = new TakenAhead()
  readonly #pace = new JobPace()
  #running: Running[] = []
  #ends: EndedAttempt[] = []
  #started: string[] = []

  constructor(queue: TeamQueue, taker: Taker, secondsOf: (jobId: string) => number) {
    this.#queue = queue
    this.#taker = taker
    this.#secondsOf = secondsOf
  }

  get free(): Claim {
    const used = this.#running.map(({ taken }) => claim(taken))
    const none = { cpus: 0, memoryBytes: 0, gpus: 0 }
    const { cpus, memoryBytes, gpus } = used.reduce(together, none)
    return {
      cpus: this.#taker.cpus - cpus,
      memoryBytes: this.#taker.memoryBytes - memoryBytes,
      gpus: this.#taker.gpus - gpus,
    }
  }

  /** Whether it keeps what is free for something that it has. */
  get keepsRoom(): boolean {
    return this.#ahead.needsRoom((taken) => this.#fits(taken))
  }

  /** Ends what is over by now. */
  pass(now: number): void {
    for (const each of this.#running.filter(({ until }) => until <= now)) this.#end(each, now)
    this.#startNext(now)
  }

  /** Whether there is reason for another one at once. */
  async exchange(now: number): Promise<boolean> {
    const lanes = this.#pace.shortLanes
    const ending = this.#running.filter(
      ({ taken, since }) => lanes.has(taken.laneId) && now - since <= shortSeconds,
    )
    const soon = ending.map(({ taken }) => claim(taken)).reduce(together, this.free)
    const givesBack = this.#ahead.removeOlder(now - aheadSeconds)
    const most = Math.max(0, this.#pace.ahead(ending.length) - this.#ahead.count)
    const { taken, cancels } = await this.#queue.exchange({
      worker: this.#taker,
      isDraining: false,
      ends: this.#ends.splice(0),
      started: this.#started.splice(0),
      givesBack,
      known: null,
      room: { free: this.free, most: 64, ahead: { most, free: soon, lanes } },
    })
    this.#pace.exchangeTook(0.02)
    this.mostTaken = Math.max(this.mostTaken, taken.length)
    for (const each of taken) this.#ahead.add(each, now)
    for (const taskId of cancels.keys()) this.#cancel(taskId)
    this.#startNext(now)
    return taken.length > 0 || this.#ends.length > 0
  }

  #fits(taken: TakenAttempt): boolean {
    return fitsIn(claim(taken), this.free)
  }

  #startNext(now: number): void {
    const next = () => this.#ahead.next((taken) => this.#fits(taken))
    for (let taken = next(); taken !== undefined; taken = next()) {
      this.begun.push(taken.jobId)
      this.#started.push(taken.taskId)
      this.#running.push({ taken, since: now, until: now + this.#secondsOf(taken.jobId) })
    }
  }

  #end(running: Running, now: number): void {
    const { taskId, laneId } = running.taken
    this.#running = this.#running.filter((each) => each !== running)
    this.#pace.jobTook(laneId, now - running.since)
    this.#ends.push({ taskId, status: 'success', exitCode: 0, reason: null, result: '{}' })
  }

  #cancel(taskId: string): void {
    const end = { taskId, status: 'cancelled', exitCode: null, reason: null }
    const running = this.#running.find(({ taken }) => taken.taskId === taskId)
    if (this.#ahead.remove(taskId)) this.#ends.push({ ...end, result: null })
    if (running === undefined) return
    this.#running = this.#running.filter((each) => each !== running)
    this.#ends.push({ ...end, result: '{}' })
  }
}
