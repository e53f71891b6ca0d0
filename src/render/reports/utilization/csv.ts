import { csv } from '../../text/csv.ts'
import type { Utilization } from '../../../analysis/workflow/utilization.ts'
import { checkJson, failureJson, type CheckJson, type FailureJson } from './json.ts'

const columns = [
  'job_id',
  'job_name',
  'run_id',
  'attempt',
  'resource_type',
  'specified',
  'peak_used',
  'over_utilization',
  'unit',
  'specified_value',
  'peak_used_value',
  'over_utilization_percent',
  'not_measured',
  'status',
  'return_code',
  'probable_cause',
  'evidence',
] as const satisfies readonly (keyof CheckJson | keyof FailureJson)[]

/** A line for each check; a failed attempt has a line of its own, with its probable cause. */
export function utilizationCsv(report: Utilization, { all }: { readonly all: boolean }): string {
  const rows: Partial<Record<(typeof columns)[number], string | number | null>>[] = [
    ...(all ? report.checks : report.violations).map((check) => ({ ...checkJson(check) })),
    ...report.failures.map((failed) => ({ ...failureJson(failed) })),
  ]
  return csv([columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))])
}
