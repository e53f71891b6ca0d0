import type { NodeShare } from '../../../analysis/job/node-share.ts'
import { nodeShares } from '../../../analysis/job/node-share.ts'
import type { ScalingRuns } from '../../../analysis/compare/scaling-runs.ts'
import type { AmdahlFit, Scaling, ScalingPoint } from '../../../analysis/compare/scaling.ts'
import { isLowerBound } from '../../../model/measured.ts'
import type { JobRecord } from '../../../model/record.ts'
import { roundKeeping } from '../../units/figures.ts'

/** Whether a job will scale, as scripts read it; all other formats show what stands here. */
export interface ScalingJson {
  readonly runs: readonly RunShareJson[]
  /** What the number of workers was read from; null where there are no two numbers of them. */
  readonly workers_from: string | null
  /** Parameters that equal that number in all runs, so that they were not taken for other work. */
  readonly workers_also_in: readonly string[]
  /** Runs that had to wait for CPU time, among those that the law was fitted to. */
  readonly starved_runs: number
  readonly left_out: readonly { readonly why: string; readonly count: number }[]
  readonly points: readonly PointJson[]
  readonly law: LawJson | null
}

export interface RunShareJson {
  readonly task_id: string
  readonly name: string
  readonly shares: readonly ShareJson[]
}

export interface ShareJson {
  readonly resource: NodeShare['resource']
  /** Cores, bytes, bytes a second or GPUs. */
  readonly used: number | null
  /** It may have used more. */
  readonly is_lower_bound: boolean
  readonly capacity: number | null
  readonly share: number | null
  readonly verdict: NodeShare['verdict']
  /** Why the share is not known; null where it is. */
  readonly why: string | null
}

export interface PointJson {
  readonly workers: number
  readonly runs: number
  readonly seconds: number
  readonly speed_up: number
  readonly efficiency: number
  /** Of the time of one worker, by its speed-up alone. */
  readonly serial_fraction: number | null
}

export interface LawJson {
  readonly one_worker_seconds: number
  readonly serial_fraction: number
  readonly serial_fraction_low: number | null
  readonly serial_fraction_high: number | null
  readonly worst_error: number
  /** How far the law is off a median at worst; null below three numbers of workers. */
  readonly median_error: number | null
  /** How far a run is off the median of its repeats at worst; null where none was repeated. */
  readonly repeat_spread: number | null
  /** The most workers that are used at least by half; null: no end in sight. */
  readonly worthwhile_workers: number | null
  readonly worthwhile_workers_low: number | null
  readonly worthwhile_workers_high: number | null
}

export function scalingJson(
  records: readonly JobRecord[],
  { runs, workersFrom, echoes, starved, leftOut }: ScalingRuns,
  { points, law }: Scaling,
): ScalingJson {
  const scaled = law !== null && runs.length > 0
  return {
    runs: records.map((record) => ({
      task_id: record.taskId,
      name: record.name,
      shares: nodeShares(record).map(shareJson),
    })),
    workers_from: scaled ? workersFrom : null,
    workers_also_in: scaled ? echoes : [],
    starved_runs: scaled ? starved : 0,
    // Of a single run nobody expects more than what it kept busy.
    left_out: records.length > 1 ? leftOut : [],
    points: scaled ? points.map(pointJson) : [],
    law: law === null ? null : lawJson(law),
  }
}

function shareJson({ resource, used, capacity, share, verdict }: NodeShare): ShareJson {
  const decimals = resource === 'cores' || resource === 'gpus' ? 3 : 0
  return {
    resource,
    used: used.value === null ? null : roundKeeping(used.value, decimals),
    is_lower_bound: isLowerBound(used),
    capacity,
    share: share.value === null ? null : roundKeeping(share.value, 4),
    verdict,
    why:
      share.value === null
        ? share.why
        : isLowerBound(used)
          ? 'it may have used more than was measured'
          : null,
  }
}

function pointJson(point: ScalingPoint): PointJson {
  return {
    workers: point.workers,
    runs: point.runs,
    seconds: roundKeeping(point.seconds, 6),
    speed_up: roundKeeping(point.speedUp, 3),
    efficiency: roundKeeping(point.efficiency, 4),
    serial_fraction: point.serialFraction === null ? null : roundKeeping(point.serialFraction, 4),
  }
}

function lawJson(law: AmdahlFit): LawJson {
  const { interval, worthwhileInterval: worth } = law
  return {
    one_worker_seconds: roundKeeping(law.oneWorkerSeconds, 6),
    serial_fraction: roundKeeping(law.serialFraction, 4),
    serial_fraction_low: interval === null ? null : roundKeeping(interval.low, 4),
    serial_fraction_high: interval === null ? null : roundKeeping(interval.high, 4),
    worst_error: roundKeeping(law.worstError, 4),
    median_error: law.medianError === null ? null : roundKeeping(law.medianError, 4),
    repeat_spread: law.repeatSpread === null ? null : roundKeeping(law.repeatSpread, 4),
    worthwhile_workers: law.worthwhileWorkers,
    worthwhile_workers_low: worth?.low ?? null,
    worthwhile_workers_high: worth?.high ?? null,
  }
}
