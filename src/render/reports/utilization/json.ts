import type {
  FailedAttempt,
  Utilization,
  UtilizationCheck,
} from '../../../analysis/workflow/utilization.ts'
import { roundKeeping } from '../../units/figures.ts'
import { checkWords, evidenceWords, type CheckWords } from './figures.ts'

/** A check as scripts read it: the words of the table, and the numbers behind them. */
export interface CheckJson extends CheckWords {
  readonly job_id: number
  readonly job_name: string
  readonly resource_type: string
  readonly run_id: number
  readonly attempt: number
  readonly unit: string
  readonly specified_value: number
  readonly peak_used_value: number | null
  /** Whether it may have been more. */
  readonly is_lower_bound: boolean
  readonly over_utilization_percent: number | null
  /** Why it was not measured. */
  readonly not_measured: string | null
}

export function checkJson(check: UtilizationCheck): CheckJson {
  return {
    job_id: check.jobId,
    job_name: check.jobName,
    resource_type: check.resourceType,
    ...checkWords(check),
    run_id: check.runId,
    attempt: check.attempt,
    unit: check.unit,
    specified_value: roundKeeping(check.specified, 6),
    peak_used_value: check.used === null ? null : roundKeeping(check.used, 6),
    is_lower_bound: check.isLowerBound,
    over_utilization_percent:
      check.overPercent === null ? null : roundKeeping(check.overPercent, 4),
    not_measured: check.why,
  }
}

export interface FailureJson {
  readonly job_id: number
  readonly job_name: string
  readonly run_id: number
  readonly attempt: number
  readonly status: string
  readonly return_code: number | null
  readonly probable_cause: string
  readonly evidence: string
}

export function failureJson(failed: FailedAttempt): FailureJson {
  return {
    job_id: failed.jobId,
    job_name: failed.jobName,
    run_id: failed.runId,
    attempt: failed.attempt,
    status: failed.status,
    return_code: failed.exitCode,
    probable_cause: failed.cause,
    evidence: evidenceWords(failed.evidence),
  }
}

/** The whole report; `all` adds what stayed within its request. */
export function utilizationJson(report: Utilization, { all }: { readonly all: boolean }): object {
  return {
    workflow_id: report.workflowId,
    run_id: report.runId,
    total_results: report.totalResults,
    over_utilization_count: report.violations.length,
    violations: report.violations.map(checkJson),
    ...(all ? { results: report.checks.map(checkJson) } : {}),
    unmeasured_count: report.unmeasuredCount,
    failed_left_out: report.failedLeftOut,
    failed_jobs: report.failures.map(failureJson),
  }
}
