import { fullRefOf } from '../../model/job-ref.ts'
import type { SeenJob } from '../../model/seen-job.ts'
import { jobShares } from './job-shares.ts'

export const reservationKeys = ['user', 'account', 'host', 'job'] as const
export type ReservationKey = (typeof reservationKeys)[number]

/** What was asked for and what of it was used, over the time that it was looked at; in seconds times cores, bytes or cards. */
export interface AskedAndUsed {
  readonly asked: number
  readonly used: number
}

export interface ReservationUse {
  /** The user, account, host or job; null for jobs without an account. */
  readonly name: string | null
  /** Who and what they all are of; null where they are of several. */
  readonly user: string | null
  readonly command: string | null
  readonly jobs: number
  readonly cpu: AskedAndUsed
  readonly memory: AskedAndUsed
  readonly gpu: AskedAndUsed
}

const nothing: AskedAndUsed = { asked: 0, used: 0 }
const none = { jobs: 0, cpu: nothing, memory: nothing, gpu: nothing }

/** Of jobs that asked for something; who left most of it unused, in cores, comes first. */
export function reservationUse(jobs: readonly SeenJob[], by: ReservationKey): ReservationUse[] {
  const found = new Map<string | null, ReservationUse>()
  for (const job of jobs) {
    const { reservation: asked, seenSeconds } = job
    if (asked === null) continue
    const name = by === 'job' ? fullRefOf(job) : job[by]
    const { user, command } = job
    const sum = found.get(name) ?? { ...none, name, user, command }
    const over = (amount: number | null): number | null =>
      amount === null ? null : amount * seenSeconds
    found.set(name, {
      name,
      user: sum.user === user ? user : null,
      command: sum.command === command ? command : null,
      jobs: sum.jobs + 1,
      cpu: plus(sum.cpu, over(asked.cpus), job.cpuSeconds),
      memory: plus(sum.memory, over(asked.memoryBytes), over(job.memoryMeanBytes)),
      gpu: plus(sum.gpu, over(asked.gpus), job.gpuSeconds),
    })
  }
  return [...found.values()].toSorted((one, other) => unused(other.cpu) - unused(one.cpu))
}

/** What was not asked for, or not measured, takes no part: it would pass for waste or for thrift. */
const plus = (sum: AskedAndUsed, asked: number | null, used: number | null): AskedAndUsed =>
  asked === null || used === null ? sum : { asked: sum.asked + asked, used: sum.used + used }

/** More than was asked for is used by some, and does not make up for what others leave unused. */
export const unused = ({ asked, used }: AskedAndUsed): number => Math.max(0, asked - used)

/** Below this share of its time a card is idle. */
const idleShare = 0.05
/** A job needs some time to begin. */
const leastSeconds = 600

export interface IdleGpus {
  readonly job: SeenJob
  readonly gpus: number
  /** What part of the time that it has them they work, from 0 to 1. */
  readonly share: number
}

/** Jobs that hold GPUs without using them, or held them so: those that run first, then who held most. */
export function idleGpus(jobs: readonly SeenJob[]): IdleGpus[] {
  return jobs
    .flatMap((job) => {
      const gpus = job.reservation?.gpus ?? job.gpus ?? 0
      const { meanGpus } = jobShares(job)
      if (gpus <= 0 || meanGpus === null || job.seenSeconds < leastSeconds) return []
      const share = meanGpus / gpus
      return share < idleShare ? [{ job, gpus, share }] : []
    })
    .toSorted(
      (one, other) =>
        Number(other.job.isRunning) - Number(one.job.isRunning) ||
        other.gpus * other.job.seenSeconds - one.gpus * one.job.seenSeconds,
    )
}
