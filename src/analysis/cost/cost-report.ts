import type { Prices } from '../../model/prices.ts'
import type { JobRecord } from '../../model/record.ts'
import { jobCost, sumOfCosts, type CostSide, type JobCost } from './job-cost.ts'

/** What attempts cost, each and all together. */
export interface CostReport {
  readonly currency: string
  readonly jobs: readonly PricedJob[]
  readonly requested: CostSide
  readonly used: CostSide
  /** Of those whose energy is known; null where none is. */
  readonly joules: number | null
  readonly carbonGrams: number | null
  /** How many have no energy figure. */
  readonly jobsWithoutEnergy: number
  readonly isModel: boolean
  /** Whether there was more energy than is known. */
  readonly isEnergyLowerBound: boolean
  /** What could not be priced, with the reason and in how many jobs. */
  readonly unpriced: readonly Unpriced[]
}

export interface PricedJob extends JobCost {
  readonly record: JobRecord
}

export interface Unpriced {
  readonly side: 'requested' | 'used'
  readonly thing: string
  readonly why: string
  readonly jobs: number
}

export function costReport(records: readonly JobRecord[], prices: Prices): CostReport {
  const jobs = records.map((record) => ({ record, ...jobCost(record, prices) }))
  const energies = jobs.map(({ energy }) => energy)
  const joules = sumOfKnown(energies.map((energy) => energy.joules))
  return {
    currency: prices.currency,
    jobs,
    requested: sumOfCosts(jobs.map(({ requested }) => requested)),
    used: sumOfCosts(jobs.map(({ used }) => used)),
    joules,
    carbonGrams: sumOfKnown(energies.map(({ carbonGrams }) => carbonGrams)),
    jobsWithoutEnergy: energies.filter((energy) => energy.joules === null).length,
    isModel: energies.some(({ isModel }) => isModel),
    isEnergyLowerBound:
      joules !== null && energies.some((energy) => energy.joules === null || energy.isLowerBound),
    unpriced: unpricedOf(jobs),
  }
}

function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

function unpricedOf(jobs: readonly PricedJob[]): Unpriced[] {
  const found = new Map<string, Unpriced>()
  for (const job of jobs)
    for (const side of ['requested', 'used'] as const)
      for (const { thing, why } of job[side].parts) {
        if (why === null) continue
        const key = `${side} ${thing} ${why}`
        const before = found.get(key)?.jobs ?? 0
        found.set(key, { side, thing, why, jobs: before + 1 })
      }
  return [...found.values()]
}
