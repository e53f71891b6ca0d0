import type { SeenJob } from '../../model/seen-job.ts'
import type { SeenRound } from '../../model/seen-round.ts'
import { roundMemory } from '../limits/out-of-memory.ts'
import { roundRuntime } from '../limits/over-time.ts'
import { requestMargins, usualPercent } from '../policy.ts'
import { percentile } from '../statistics/statistics.ts'
import { jobShares } from './job-shares.ts'
import { coresOf } from './seen-record.ts'

/** What a job should ask for another time, by what it used this time. */
export interface RequestPart {
  readonly resource: 'cpus' | 'memory' | 'gpus' | 'runtime'
  readonly used: number
  readonly asked: number | null
  readonly ask: number
  readonly verdict: 'right' | 'too-much' | 'too-little' | 'not-asked'
}

const policy = {
  /** Helpers and kernel work push a job over whole cores now and then. */
  cpuTolerance: 0.05,
  /** A request that could be smaller by less than this is right. */
  tooMuchFrom: 1.5,
} as const

/** What was not measured, or is not over yet, has no part. */
export function nextRequest(job: SeenJob, rounds: readonly SeenRound[]): RequestPart[] {
  const { reservation: asked } = job
  const busy = percentile(coresOf(rounds), usualPercent)
  const cards = job.gpus ?? 0
  const { runtimeSeconds } = jobShares(job)
  const parts: RequestPart[] = []
  if (busy !== undefined)
    parts.push(part('cpus', busy, asked?.cpus, Math.max(1, Math.ceil(busy - policy.cpuTolerance))))
  if (job.memoryPeakBytes !== null) {
    const ask = roundMemory(requestMargins.memory * job.memoryPeakBytes)
    parts.push(part('memory', job.memoryPeakBytes, asked?.memoryBytes, ask))
  }
  if ((asked?.gpus ?? 0) > 0 || cards > 0) parts.push(part('gpus', cards, asked?.gpus, cards))
  if (!job.isRunning) {
    const ask = roundRuntime(requestMargins.runtime * runtimeSeconds)
    parts.push(part('runtime', runtimeSeconds, asked?.runtimeSeconds, ask))
  }
  return parts
}

function part(
  resource: RequestPart['resource'],
  used: number,
  asked: number | null | undefined,
  ask: number,
): RequestPart {
  if (!asked) return { resource, used, asked: null, ask, verdict: 'not-asked' }
  const isWhole = resource === 'gpus'
  const isTooMuch = isWhole ? ask < asked : ask * policy.tooMuchFrom <= asked
  const isTooLittle = used > asked * (1 + policy.cpuTolerance)
  const verdict = isTooLittle ? 'too-little' : isTooMuch ? 'too-much' : 'right'
  return { resource, used, asked, ask: verdict === 'right' ? asked : ask, verdict }
}
