import type { CostReport } from '../../../analysis/cost/cost-report.ts'
import { csv } from '../../text/csv.ts'
import { pricedJobJson } from './json.ts'

const columns = [
  'job_id',
  'job_name',
  'attempt',
  'status',
  'requested',
  'requested_is_lower_bound',
  'used',
  'used_is_lower_bound',
  'energy_joules',
  'energy_is_model',
  'energy_is_lower_bound',
  'co2_grams',
] as const

/** A line for each attempt. */
export function costCsv(report: CostReport): string {
  const lines = report.jobs.map((job) => {
    const json = pricedJobJson(job)
    const unpriced = json.parts.flatMap(({ side, thing, not_priced: why }) =>
      why === null ? [] : [`${side} ${thing}: ${why}`],
    )
    const cells = columns.map((column) => {
      const value = json[column]
      return typeof value === 'boolean' ? String(value) : value
    })
    return [...cells, report.currency, unpriced.join('; ')]
  })
  return csv([[...columns, 'currency', 'not_priced'], ...lines])
}
