import { count } from '../../../model/count.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../../model/measured.ts'
import { threadBasis } from '../../../model/thread-basis.ts'
import type { FigureDefinition } from '../../../model/usage.ts'
import type { FollowedEnd, FollowedGauge, Gauge, KeyOf, MeteredJob } from '../gauge.ts'
import type { JobDevice } from '../../job-devices.ts'
import { ThreadReader } from './threads/thread-reader.ts'
import { ThreadTable, ticksOf, type SeenThread } from './threads/thread-table.ts'

const figures = [
  {
    key: 'busiestThreadPercent',
    says: 'how busy the busiest thread was while the job ran; 100 is one core all the time. The basis names it',
  },
] as const satisfies readonly FigureDefinition[]

type Key = KeyOf<typeof figures>

/** Of so many there are rows, the busiest at each moment. */
const shownAtOnce = 8
/** Threads that took turns to be among them. */
const mostShown = 64
const leastSeconds = 1
/** Of the time: so much before the end the last look may have come. */
const littleOfIt = 0.05
/** Who uses so much of what it used before works on as it did. */
const samePace = 0.8

/**
 * At full looks, but no more than once a second: `/proc/PID/task/TID/stat` of processes that did something. Counters are
 * cumulative, so that a thread whose turn comes late is told in full.
 */
export const threadsGauge: Gauge<never, Key> = {
  name: 'threads',
  columns: [],
  figures,
  follow: (job) => new FollowedThreads(job),
}

class FollowedThreads implements FollowedGauge<never, Key> {
  readonly #job: MeteredJob
  readonly #table: ThreadTable
  readonly #reader: ThreadReader
  readonly #devices = new Map<SeenThread, JobDevice>()
  #lookedAt = -Infinity
  /** When any of its processes was last seen alive. */
  #seenUntilSeconds = 0
  /** What the whole job had used by then. */
  #ticksSeen = 0
  /** At the last look: whether the busiest thread was there, with nothing done that was not read. */
  #isBusiestThere = false

  constructor(job: MeteredJob) {
    this.#job = job
    const { clock, files, host } = job.system
    const isCountedFromNow = job.request.origin === 'running'
    this.#table = new ThreadTable(
      isCountedFromNow ? Math.floor(clock.bootSeconds() * host.ticksPerSecond) : 0,
    )
    this.#reader = new ThreadReader(files, this.#table)
  }

  look(_row: Float64Array, _at: object, elapsedSeconds: number, full: boolean): void {
    const { members } = this.#job
    if (!full || members.liveProcesses === 0) return
    // Looks come faster in the first second of a job, and may be a little early.
    const isDue = elapsedSeconds - this.#lookedAt >= leastSeconds * 0.95
    if (!isDue && elapsedSeconds > leastSeconds) return
    this.#lookedAt = elapsedSeconds
    this.#seenUntilSeconds = elapsedSeconds
    this.#ticksSeen = this.#ticks
    this.#table.look += 1
    this.#reader.look(members.byPid)
    const busiest = this.#table.busiest(shownAtOnce)
    const [first] = busiest
    this.#isBusiestThere = first !== undefined && this.#reader.isThere(first, members.byPid)
    for (const thread of busiest)
      if (thread.seenAtLook === this.#table.look) this.#show(thread, elapsedSeconds)
  }

  figures({ durationSeconds }: FollowedEnd): Readonly<Record<Key, Measured>> {
    const [thread] = this.#table.busiest(1)
    if (thread === undefined)
      return {
        busiestThreadPercent: unmeasured(
          this.#reader.mostLeftOut > 0
            ? `up to ${count(this.#reader.mostLeftOut, 'thread')} were left out of a look, and none of the others was seen to use CPU time`
            : 'no thread was seen to use CPU time before it ended',
        ),
      }
    const seenSeconds = Math.min(durationSeconds, this.#seenUntilSeconds)
    const isSeenToEnd = this.#goesOn(seenSeconds, durationSeconds)
    const seconds = isSeenToEnd ? seenSeconds : durationSeconds
    const { ticksPerSecond } = this.#job.system.host
    const percent = Math.min(100, (ticksOf(thread) / ticksPerSecond / seconds) * 100)
    const { mostLeftOut } = this.#reader
    const isThere = this.#isBusiestThere
    const tell = mostLeftOut > 0 || !isThere || !isSeenToEnd ? atLeast : measured
    const gone = isThere ? '' : '; it ended before that'
    const lack =
      mostLeftOut > 0 ? `; up to ${count(mostLeftOut, 'thread')} were left out of a look` : gone
    const how = `/proc/PID/task/TID/stat until the last look at ${seenSeconds.toFixed(1)} s${lack}`
    return { busiestThreadPercent: tell(percent, threadBasis(thread.name, how)) }
  }

  /** Whether its last look stands for the time after it: that was short, or the job worked on as it did before. */
  #goesOn(seenSeconds: number, durationSeconds: number): boolean {
    const unseenSeconds = durationSeconds - seenSeconds
    if (unseenSeconds <= littleOfIt * durationSeconds) return true
    const expected = (this.#ticksSeen * unseenSeconds) / seenSeconds
    return this.#ticks - this.#ticksSeen >= samePace * expected
  }

  get #ticks(): number {
    const { userTicks, systemTicks } = this.#job.members.totals()
    return userTicks + systemTicks
  }

  #show(thread: SeenThread, elapsedSeconds: number): void {
    let device = this.#devices.get(thread)
    if (device === undefined) {
      if (this.#devices.size >= mostShown) return
      const id = `${thread.pid}/${thread.tid} ${thread.name}`
      device = this.#job.devices.open({ kind: 'thread', id }, [
        'cpu_user_seconds',
        'cpu_system_seconds',
      ])
      this.#devices.set(thread, device)
    }
    const { ticksPerSecond } = this.#job.system.host
    device.values[0] = thread.userTicks / ticksPerSecond
    device.values[1] = thread.systemTicks / ticksPerSecond
    device.keep(elapsedSeconds)
  }
}
