import type { Requirements } from '../../model/job.ts'
import { isDurationBound, isOpen } from '../../model/outcome.ts'
import type { UtilizationRow } from '../../model/utilization-row.ts'
import type { CpuWait } from '../limits/cpu-shortage.ts'
import { killedAt, stoppedAt, type EndedAt } from './ended-at-request.ts'
import { probableCause, type ProbableCause } from '../job/probable-cause.ts'

/** What is looked at of an attempt. */
export type CheckedAttempt = Omit<
  UtilizationRow,
  | 'machineCores'
  | Exclude<keyof CpuWait, 'durationSeconds' | 'lowerBounds'>
  | 'cpuPercentP95'
  | 'largestProcessPeakBytes'
  | 'swapPeakBytes'
>

interface CheckedResource {
  readonly type: string
  readonly unit: 'bytes' | 'percent' | 'seconds' | 'cards'
  /** null where the job did not ask for any: nothing is checked then. */
  specified(requirements: Requirements): number | null
  used(attempt: CheckedAttempt): number | null
  /** Whether more of it may have been used. */
  isLowerBound(attempt: CheckedAttempt): boolean
  /** Why there is no figure. */
  missing(attempt: CheckedAttempt): string | undefined
  /** The limit of it, if any, at which processes of the attempt were ended. */
  endedAt?(attempt: CheckedAttempt): EndedAt | null
}

/** All that is checked, in the order of the report. A resource more is an entry more. */
export const checkedResources = [
  {
    type: 'Memory',
    unit: 'bytes',
    specified: ({ memoryBytes }) => memoryBytes,
    used: ({ memoryPeakBytes }) => memoryPeakBytes,
    isLowerBound: ({ lowerBounds }) => lowerBounds.includes('memoryPeakBytes'),
    missing: ({ unmeasured }) => unmeasured.memoryPeakBytes,
    endedAt: killedAt,
  },
  {
    type: 'CPU',
    unit: 'percent',
    specified: ({ cpus }) => (cpus === null ? null : 100 * cpus),
    used: ({ cpuPercentPeak }) => cpuPercentPeak,
    isLowerBound: ({ lowerBounds }) => lowerBounds.includes('cpuPercentPeak'),
    missing: ({ unmeasured }) => unmeasured.cpuPercentPeak,
  },
  {
    type: 'GPU',
    unit: 'cards',
    specified: ({ gpus }) => gpus,
    used: ({ gpuCardsUsed }) => gpuCardsUsed,
    isLowerBound: () => false,
    missing: ({ gpuWhyNot }) => gpuWhyNot,
  },
  {
    type: 'Runtime',
    unit: 'seconds',
    specified: ({ runtimeSeconds }) => runtimeSeconds,
    used: ({ durationSeconds }) => durationSeconds,
    isLowerBound: ({ status }) => isDurationBound(status),
    missing: () => 'its end was not seen',
    endedAt: stoppedAt,
  },
] as const satisfies readonly CheckedResource[]

export type ResourceType = (typeof checkedResources)[number]['type']

/** One resource of one attempt against its request. */
export interface UtilizationCheck {
  readonly jobId: number
  readonly jobName: string
  readonly runId: number
  readonly attempt: number
  readonly resourceType: ResourceType
  readonly unit: CheckedResource['unit']
  readonly specified: number
  /** null where it was not measured; `why` tells the reason then. */
  readonly used: number | null
  readonly why: string | null
  /** Whether it may have been more. */
  readonly isLowerBound: boolean
  /** Percent above the request, negative below it. */
  readonly overPercent: number | null
  readonly isViolation: boolean
  /** Whether it, or some of its processes alone, were ended at a limit when they needed more; null where none was. */
  readonly ended: 'all' | 'some' | null
  /** Where that was; null likewise. */
  readonly endedAt: EndedAt | null
}

export type FailedAttempt = ProbableCause &
  Pick<UtilizationRow, 'jobId' | 'jobName' | 'runId' | 'attempt' | 'status' | 'exitCode'>

export interface UtilizationReport {
  /** Attempts that were looked at. */
  readonly totalResults: number
  /** In the order of the jobs; of one job, what is over its request comes first. */
  readonly checks: readonly UtilizationCheck[]
  readonly violations: readonly UtilizationCheck[]
  /** Requests whose use was not measured. */
  readonly unmeasuredCount: number
  /** Attempts that ended otherwise than well and were not asked for, nor ended for using more than they had asked for. */
  readonly failedLeftOut: number
  readonly failures: readonly FailedAttempt[]
}

/** A report with what it is about. */
export interface Utilization extends UtilizationReport {
  readonly workflowId: number
  /** null: the latest result of each job, whichever run it is from. */
  readonly runId: number | null
}

export interface UtilizationOptions {
  /** From which percentage on a use above the request is a violation. */
  readonly minOverPercent: number
  readonly includeFailed: boolean
}

/** Compares what attempts used with what they asked for. Attempts that still run are passed over. */
export function checkUtilization(
  attempts: Iterable<CheckedAttempt>,
  { minOverPercent, includeFailed }: UtilizationOptions,
): UtilizationReport {
  const checks: UtilizationCheck[] = []
  const failures: FailedAttempt[] = []
  let totalResults = 0
  let failedLeftOut = 0
  for (const attempt of attempts) {
    if (isOpen(attempt.status)) continue
    const all = checkedResources.flatMap((resource) => check(resource, attempt, minOverPercent))
    const isLeftOut = hasFailed(attempt) && !includeFailed
    const own = isLeftOut
      ? all.filter(({ endedAt, isViolation }) => endedAt !== null && isViolation)
      : all
    if (isLeftOut && own.length === 0) failedLeftOut += 1
    else totalResults += 1
    if (hasFailed(attempt) && includeFailed) failures.push(failedAttempt(attempt))
    for (const each of own) if (each.isViolation) checks.push(each)
    for (const each of own) if (!each.isViolation) checks.push(each)
  }
  return {
    totalResults,
    checks,
    violations: checks.filter(({ isViolation }) => isViolation),
    unmeasuredCount: checks.filter(({ used, isViolation }) => used === null && !isViolation).length,
    failedLeftOut,
    failures,
  }
}

/** Of a process that was watched only its parent learns how it ended: that is no failure. */
const hasFailed = ({ status }: CheckedAttempt): boolean =>
  status !== 'success' && status !== 'unknown'

function check(
  resource: CheckedResource & { readonly type: ResourceType },
  attempt: CheckedAttempt,
  minOverPercent: number,
): UtilizationCheck[] {
  const specified = resource.specified(attempt.requirements)
  if (specified === null || !(specified > 0)) return []
  const used = resource.used(attempt)
  const overPercent = used === null ? null : ((used - specified) / specified) * 100
  const { jobId, jobName, runId, attempt: number } = attempt
  const endedAt = resource.endedAt?.(attempt) ?? null
  const isOver = overPercent !== null && overPercent > 0 && overPercent >= minOverPercent
  return [
    {
      jobId,
      jobName,
      runId,
      attempt: number,
      resourceType: resource.type,
      unit: resource.unit,
      specified,
      used,
      why: used === null ? (resource.missing(attempt) ?? 'no figure was recorded') : null,
      isLowerBound: used !== null && resource.isLowerBound(attempt),
      overPercent,
      isViolation: isOver || endedAt === 'request',
      ended: endedAt === null ? null : hasFailed(attempt) ? 'all' : 'some',
      endedAt,
    },
  ]
}

function failedAttempt(attempt: CheckedAttempt): FailedAttempt {
  const { jobId, jobName, runId, attempt: number, status, exitCode } = attempt
  return { jobId, jobName, runId, attempt: number, status, exitCode, ...probableCause(attempt) }
}
