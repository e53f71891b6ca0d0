import type { CostReport, PricedJob } from '../../../analysis/cost/cost-report.ts'
import type { CostPart } from '../../../analysis/cost/job-cost.ts'
import { roundKeeping } from '../../units/figures.ts'

const rounded = (value: number | null, decimals: number): number | null =>
  value === null ? null : roundKeeping(value, decimals)

/** Money is rounded to a millionth: a short job costs less than a cent. */
const money = (value: number | null): number | null => rounded(value, 6)

/** A job as scripts read it. */
export function pricedJobJson({ record, requested, used, energy }: PricedJob) {
  return {
    job_id: record.jobId,
    job_name: record.name,
    task_id: record.taskId,
    attempt: record.attempt,
    status: record.status,
    requested: money(requested.total),
    requested_is_lower_bound: requested.isLowerBound,
    used: money(used.total),
    used_is_lower_bound: used.isLowerBound,
    energy_joules: rounded(energy.joules, 3),
    energy_watt_hours: rounded(energy.joules === null ? null : energy.joules / 3600, 6),
    energy_is_model: energy.isModel,
    energy_is_lower_bound: energy.isLowerBound,
    energy_basis: energy.basis,
    co2_grams: rounded(energy.carbonGrams, 6),
    parts: [
      ...requested.parts.map((part) => partJson('requested', part)),
      ...used.parts.map((part) => partJson('used', part)),
    ],
  }
}

function partJson(side: 'requested' | 'used', part: CostPart) {
  return {
    side,
    thing: part.thing,
    unit: part.unit,
    amount: rounded(part.amount, 6),
    cost: money(part.cost),
    is_lower_bound: part.isLowerBound,
    not_priced: part.why,
  }
}

export function costJson(report: CostReport, workflowId: number | null) {
  return {
    workflow_id: workflowId,
    currency: report.currency,
    requested: money(report.requested.total),
    requested_is_lower_bound: report.requested.isLowerBound,
    used: money(report.used.total),
    used_is_lower_bound: report.used.isLowerBound,
    energy_joules: rounded(report.joules, 3),
    energy_watt_hours: rounded(report.joules === null ? null : report.joules / 3600, 6),
    energy_is_model: report.isModel,
    energy_is_lower_bound: report.isEnergyLowerBound,
    jobs_without_energy: report.jobsWithoutEnergy,
    co2_grams: rounded(report.carbonGrams, 6),
    not_priced: report.unpriced,
    jobs: report.jobs.map(pricedJobJson),
  }
}
