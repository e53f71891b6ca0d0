import { addTold } from '../../model/told-sum.ts'
import type { SeenJob } from '../../model/seen-job.ts'
import type { SeenRound, SeenSeries } from '../../model/seen-round.ts'

/** What a job used in the time that it was looked at. */
export type JobUse = Pick<SeenJob, 'seenSeconds' | 'cpuSeconds' | 'gpuSeconds' | 'memoryMeanBytes'>

/** The same of all of its life. */
export type LivedUse = JobUse & Pick<SeenJob, 'firstSeen' | 'lastSeen'>

export interface Span {
  readonly from: number
  readonly to: number
}

export const isWithin = ({ firstSeen, lastSeen }: LivedUse, { from, to }: Span): boolean =>
  firstSeen >= from && lastSeen <= to

const bucketSeconds = { 'five minutes': 300, hours: 3600 } as const

/**
 * What a job used between two moments. What is known of a stretch that one of them cuts is taken to be spread evenly over it;
 * where nothing is kept but its life as a whole, over that.
 */
export function usedWithin(job: LivedUse, { kind, rounds }: SeenSeries, span: Span): JobUse {
  const { firstSeen, lastSeen } = job
  if (rounds.length === 0)
    return added([{ ...job, memoryBytes: job.memoryMeanBytes, share: shareOf(job, span) }])
  return added(
    rounds.map((round) => {
      const stretch =
        kind === 'rounds'
          ? { firstSeen: round.to - round.seconds, lastSeen: round.to }
          : {
              firstSeen: Math.max(firstSeen, round.to - bucketSeconds[kind]),
              lastSeen: Math.min(lastSeen, round.to),
            }
      return { ...round, seenSeconds: round.seconds, share: shareOf(stretch, span) }
    }),
  )
}

/** What part of a stretch lies between two moments. */
function shareOf({ firstSeen, lastSeen }: Pick<SeenJob, 'firstSeen' | 'lastSeen'>, span: Span) {
  if (!(lastSeen > firstSeen)) return lastSeen > span.from && lastSeen <= span.to ? 1 : 0
  const seconds = Math.min(lastSeen, span.to) - Math.max(firstSeen, span.from)
  return Math.max(0, seconds) / (lastSeen - firstSeen)
}

interface Part extends Pick<SeenRound, 'cpuSeconds' | 'gpuSeconds' | 'memoryBytes'> {
  /** What it held on cards; that it is known says that it was there. */
  readonly gpuMemoryBytes?: number | null
  readonly seenSeconds: number
  readonly share: number
}

/** Of what was never measured there is no sum. */
function added(parts: readonly Part[]): JobUse {
  const within = parts.filter(({ share }) => share > 0)
  const sum = (of: (part: Part) => number | null): number | null =>
    within.reduce<number | null>((all, part) => {
      const amount = of(part)
      return amount === null ? all : (all ?? 0) + amount * part.share
    }, null)
  // Cards that it was on may not have told: that it used at least 0 says nothing then.
  const isUntold = within.some(
    ({ gpuSeconds, gpuMemoryBytes = null }) => gpuSeconds === null && gpuMemoryBytes !== null,
  )
  const gpuSeconds = sum((part) => part.gpuSeconds)
  const seenSeconds = sum((part) => part.seenSeconds) ?? 0
  const held = sum(({ memoryBytes, seenSeconds: seconds }) =>
    memoryBytes === null ? null : memoryBytes * seconds,
  )
  return {
    seenSeconds,
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    gpuSeconds: isUntold ? addTold(gpuSeconds, null) : gpuSeconds,
    memoryMeanBytes: held === null || seenSeconds === 0 ? null : held / seenSeconds,
  }
}
