import {
  idleGpus,
  reservationUse,
  unused,
  type IdleGpus,
  type ReservationKey,
  type ReservationUse,
} from '../../analysis/node/reservation-use.ts'
import { isWithin, usedWithin } from '../../analysis/node/used-within.ts'
import type { SeenJob } from '../../model/seen-job.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'

/** Between when, and of whom; an empty list is of all. */
export interface ReservationQuery {
  readonly from: number
  readonly to: number
  readonly users: readonly string[]
  readonly accounts: readonly string[]
  readonly hosts: readonly string[]
}

/**
 * What jobs asked for against what they used in this time. Three answers come from one reading of the jobs, which takes longer
 * than all else.
 */
export interface ReservationAnswers {
  readonly uses: readonly ReservationUse[]
  /** Jobs that leave GPUs idle that they hold, or left them so. */
  readonly idle: readonly IdleGpus[]
  readonly toTalkTo: readonly ToTalkTo[]
}

export async function reservationAnswers(
  reader: NodeQuestions,
  query: ReservationQuery,
  by: ReservationKey,
): Promise<ReservationAnswers> {
  const jobs = await within(reader, await reader.jobs(query), query)
  return {
    uses: reservationUse(jobs, by),
    idle: idleGpus(jobs),
    toTalkTo: await whoToTalkTo(reader, query, jobs),
  }
}

/** Jobs with what they used in this time; only of those that were there before or after it more is to be read. */
async function within(
  reader: NodeQuestions,
  jobs: readonly SeenJob[],
  span: ReservationQuery,
): Promise<SeenJob[]> {
  const found: SeenJob[] = []
  for (const job of jobs) {
    const isWhole = job.reservation === null || isWithin(job, span)
    const part = isWhole ? job : { ...job, ...usedWithin(job, await reader.series(job), span) }
    if (part.seenSeconds > 0) found.push(part)
  }
  return found
}

/** Somebody whom a word would help, and why. */
export interface ToTalkTo {
  readonly user: string
  readonly unusedCoreSeconds: number
  readonly unusedGpuSeconds: number
  /** Cards that jobs of theirs hold now and leave idle. */
  readonly idleGpus: number
  readonly violations: number
  /** All that their jobs reserved; null where they reserved nothing. */
  readonly use: ReservationUse | null
}

/** A day of a whole core that nobody could use is worth a word. */
const leastCoreSeconds = 86_400
const leastGpuSeconds = 3_600

/** Users who keep from others what they do not use, or broke policies; the worst first: GPUs, then policies, then cores. */
async function whoToTalkTo(
  reader: NodeQuestions,
  query: ReservationQuery,
  jobs: readonly SeenJob[],
): Promise<readonly ToTalkTo[]> {
  const idle = idleGpus(jobs).filter(({ job }) => job.isRunning)
  const { from, to, users: asked, hosts } = query
  // An agent refuses a question with more in it than it knows.
  const found = await reader.violations({ from, to, users: asked, hosts })
  const broken = found.filter(({ suppressedBecause }) => suppressedBecause === null)
  const uses = new Map(reservationUse(jobs, 'user').map((use) => [use.name ?? '', use]))
  const users = new Set([
    ...uses.keys(),
    ...idle.map(({ job }) => job.user),
    ...broken.map(({ subject }) => subject.user),
  ])
  return [...users]
    .map((user): ToTalkTo => {
      const use = uses.get(user)
      return {
        user,
        unusedCoreSeconds: use === undefined ? 0 : unused(use.cpu),
        unusedGpuSeconds: use === undefined ? 0 : unused(use.gpu),
        idleGpus: sum(idle.filter(({ job }) => job.user === user).map(({ gpus }) => gpus)),
        violations: broken.filter(({ subject }) => subject.user === user).length,
        use: use ?? null,
      }
    })
    .filter(isWorthAWord)
    .toSorted(
      (one, other) =>
        other.idleGpus - one.idleGpus ||
        other.violations - one.violations ||
        other.unusedCoreSeconds - one.unusedCoreSeconds,
    )
}

const isWorthAWord = (one: ToTalkTo): boolean =>
  one.idleGpus > 0 ||
  one.violations > 0 ||
  one.unusedCoreSeconds >= leastCoreSeconds ||
  one.unusedGpuSeconds >= leastGpuSeconds

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
