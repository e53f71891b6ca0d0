import type { EndEstimate } from '../../model/live.ts'
import { scheduleSeconds, type JobAhead } from './list-schedule.ts'

/** What jobs of one template have in common. */
export interface JobLike {
  readonly name: string
  readonly cpus: number | null
  readonly runtimeSeconds: number | null
}

/** A job that waits or runs. */
export interface ComingJob extends JobLike {
  /** Seconds since 1970; null while it waits. */
  readonly startedAt: number | null
  /** Names of jobs that must have ended before it starts. */
  readonly waitsFor: readonly string[]
}

/** A job that has succeeded. */
export interface FinishedJob extends JobLike {
  readonly startedAt: number
  readonly durationSeconds: number
}

/** What is between the tenth and the ninetieth percentile of a normal distribution, in standard deviations. */
const spread = 1.28
/** How far off a guess is that is made of other jobs, as a share of it. */
const guessSpread = 0.5

/**
 * Estimates the end from how long jobs took that have the same name but for its numbers, and the same request. As many jobs
 * as now are taken to run at once until there are none left, or fewer where they must wait for one another.
 * null if there is nothing to go by.
 */
export function endEstimate(
  coming: readonly ComingJob[],
  finished: readonly FinishedJob[],
  now: number,
): EndEstimate | null {
  if (coming.length === 0 || finished.length === 0) return null
  const times = new KnownTimes(finished)
  const ahead = coming.map((job): Ahead => ({ ...job, time: times.left(job, now) }))
  const work = workLeft(ahead)
  const { fewest, usual, most } = jobsAtOnce(coming, finished, now)
  const { seconds, deviation, longest, longestLatest } = work
  // The last jobs do not end together: some places are empty then.
  const lastJob = longest * (1 - 1 / usual)
  const likely = Math.max(longest, seconds / usual + lastJob / 2)
  const earliest = Math.min(likely, Math.max(0, seconds - spread * deviation) / most)
  const latest = Math.max(longestLatest, (seconds + spread * deviation) / fewest + lastJob)
  const waits = waitsOf(ahead, usual)
  const ends = Math.max(likely, waits?.seconds ?? 0)
  return {
    endsAt: now + ends,
    earliestAt: now + Math.min(ends, Math.max(earliest, waits?.earliest ?? 0)),
    latestAt: now + Math.max(ends, latest + (ends - likely)),
    basis: `from how long ${finished.length} of its jobs took, with ${Math.round(usual)} at once${
      waits === null ? '' : ', and from which wait for which'
    }`,
  }
}

interface Waits {
  /** With so many at once as usual. */
  readonly seconds: number
  /** The critical path, if all of it is quick. */
  readonly earliest: number
}

/** How long it takes because jobs wait for one another; null if none does. */
function waitsOf(ahead: readonly Ahead[], places: number): Waits | null {
  const names = new Set(ahead.map(({ name }) => name))
  const lists = new Set(ahead.map(({ waitsFor }) => waitsFor))
  if (![...lists].some((list) => list.some((name) => names.has(name)))) return null
  const taking = (secondsOf: (time: JobTime) => number): JobAhead[] =>
    ahead.map(({ name, time, startedAt, waitsFor }) => ({
      name,
      seconds: Math.max(0, secondsOf(time)),
      isRunning: startedAt !== null,
      waitsFor,
    }))
  const usually = taking(({ seconds }) => seconds)
  const quickly = taking(({ seconds, deviation }) => seconds - spread * deviation)
  return {
    seconds: scheduleSeconds(usually, Math.max(1, Math.round(places))),
    earliest: scheduleSeconds(quickly, Infinity),
  }
}

interface Work {
  readonly seconds: number
  readonly deviation: number
  /** Of the jobs that wait or run, the longest that is expected, and with its spread. */
  readonly longest: number
  readonly longestLatest: number
}

function workLeft(ahead: readonly Ahead[]): Work {
  let [seconds, variance, longest, longestLatest] = [0, 0, 0, 0]
  for (const jobs of Map.groupBy(ahead, ({ time }) => time.kind).values()) {
    let deviationOfMean = 0
    for (const { time } of jobs) {
      seconds += time.seconds
      variance += time.deviation ** 2
      deviationOfMean = time.deviationOfMean
      longest = Math.max(longest, time.seconds)
      longestLatest = Math.max(longestLatest, time.seconds + spread * time.deviation)
    }
    // If the mean of a kind is wrong, it is wrong for all of its jobs alike.
    variance += (jobs.length * deviationOfMean) ** 2
  }
  return { seconds, deviation: Math.sqrt(variance), longest, longestLatest }
}

/** A job that waits or runs, with how much longer it will take. */
interface Ahead extends ComingJob {
  readonly time: TimeLeft
}

interface TimeLeft extends JobTime {
  readonly kind: string
}

interface JobTime {
  readonly seconds: number
  readonly deviation: number
  readonly deviationOfMean: number
}

/** How long jobs took, by kind. */
class KnownTimes {
  readonly #byKind: ReadonlyMap<string, readonly number[]>
  readonly #wholes = new Map<string, TimeLeft>()
  readonly #meanOfAll: number
  /** The share of the time that they asked for that jobs used; null if none asked. */
  readonly #usedShare: number | null

  constructor(finished: readonly FinishedJob[]) {
    const durations = (jobs: readonly FinishedJob[]) => jobs.map((job) => job.durationSeconds)
    this.#byKind = new Map(
      [...Map.groupBy(finished, kindOf)].map(([kind, jobs]) => [kind, durations(jobs)]),
    )
    this.#meanOfAll = mean(durations(finished))
    const shares = finished.flatMap(({ durationSeconds, runtimeSeconds }) =>
      runtimeSeconds === null || runtimeSeconds <= 0 ? [] : [durationSeconds / runtimeSeconds],
    )
    this.#usedShare = shares.length === 0 ? null : mean(shares)
  }

  left(job: ComingJob, now: number): TimeLeft {
    const kind = kindOf(job)
    const known = this.#byKind.get(kind)
    if (known === undefined) return { kind, ...this.#guess(job, now) }
    if (job.startedAt === null) return this.#whole(kind, known)
    const age = Math.max(0, now - job.startedAt)
    const longer = known.filter((duration) => duration > age)
    if (longer.length > 0) {
      const { seconds, ...spreads } = timeOf(longer)
      return { kind, seconds: seconds - age, ...spreads }
    }
    // Longer than any before: nobody knows how much longer.
    return { kind, seconds: age / 4, deviation: age / 4, deviationOfMean: age / 4 }
  }

  /** Thousands may wait of a kind of which thousands have ended. */
  #whole(kind: string, known: readonly number[]): TimeLeft {
    const time = this.#wholes.get(kind) ?? { kind, ...timeOf(known) }
    this.#wholes.set(kind, time)
    return time
  }

  #guess({ runtimeSeconds, startedAt }: ComingJob, now: number): JobTime {
    const whole =
      runtimeSeconds === null || this.#usedShare === null
        ? this.#meanOfAll
        : runtimeSeconds * this.#usedShare
    const age = startedAt === null ? 0 : Math.max(0, now - startedAt)
    const seconds = Math.max(whole - age, whole / 10)
    const deviation = guessSpread * seconds
    return { seconds, deviation, deviationOfMean: deviation }
  }
}

/** Numbers are what jobs of one template differ by. */
const kindOf = ({ name, cpus, runtimeSeconds }: JobLike): string =>
  `${name.replaceAll(/\d+/g, '#')} ${cpus} ${runtimeSeconds}`

function timeOf(durations: readonly number[]): JobTime {
  const seconds = mean(durations)
  const squares = durations.reduce((sum, duration) => sum + (duration - seconds) ** 2, 0)
  // One duration says nothing of the spread.
  const deviation =
    durations.length < 2 ? guessSpread * seconds : Math.sqrt(squares / (durations.length - 1))
  return { seconds, deviation, deviationOfMean: deviation / Math.sqrt(durations.length) }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

interface AtOnce {
  readonly fewest: number
  readonly usual: number
  readonly most: number
}

/** How many jobs run now, and did so in the middle of the time that is known. */
function jobsAtOnce(
  coming: readonly ComingJob[],
  finished: readonly FinishedJob[],
  now: number,
): AtOnce {
  const starts = coming.flatMap(({ startedAt }) => startedAt ?? [])
  const since = finished.reduce((first, { startedAt }) => Math.min(first, startedAt), now)
  const busy =
    finished.reduce((sum, job) => sum + job.durationSeconds, 0) +
    starts.reduce((sum, startedAt) => sum + Math.max(0, now - Math.max(startedAt, since)), 0)
  const before = now > since ? busy / (now - since) : starts.length
  const running = Math.max(1, starts.length)
  const fewest = Math.max(1, Math.min(before, running))
  const most = Math.max(1, before, running)
  // With none waiting, places are empty for good.
  const hasWaiting = starts.length < coming.length
  return { fewest, usual: hasWaiting ? Math.max(1, (fewest + most) / 2) : running, most }
}
