import type { CostReport, PricedJob } from '../../../analysis/cost/cost-report.ts'
import type { CostSide } from '../../../analysis/cost/job-cost.ts'
import type { JobEnergy } from '../../../analysis/cost/job-energy.ts'
import { count } from '../../../model/count.ts'
import { fixedKeeping, formatJoules, notMeasured } from '../../units/figures.ts'
import { lowerBoundWords } from '../../units/usage-figure.ts'

export const costHeaders = (report: CostReport): readonly string[] => [
  'Job',
  'Attempt',
  `Requested (${report.currency})`,
  `Used (${report.currency})`,
  ...(report.joules === null ? [] : ['Energy']),
  ...(report.carbonGrams === null ? [] : ['CO2']),
]

/** A row for each attempt, and one for all of them where there are several. */
export function costRows(report: CostReport): string[][] {
  const rows = report.jobs.map((job) => jobRow(job, report))
  if (rows.length < 2) return rows
  const { requested, used, joules, carbonGrams, isModel, isEnergyLowerBound: isLowerBound } = report
  const energy = { joules, carbonGrams, isModel, isLowerBound }
  return [...rows, cells('Total', '', requested, used, energy, report)]
}

function jobRow({ record, requested, used, energy }: PricedJob, report: CostReport): string[] {
  return cells(record.name, String(record.attempt ?? ''), requested, used, energy, report)
}

type Energy = Omit<JobEnergy, 'basis'>

function cells(
  name: string,
  attempt: string,
  requested: CostSide,
  used: CostSide,
  { joules, carbonGrams, isModel, isLowerBound }: Energy,
  report: CostReport,
): string[] {
  const model = isModel ? ' (model)' : ''
  const bound = isLowerBound ? lowerBoundWords : ''
  return [
    name,
    attempt,
    moneyText(requested),
    moneyText(used),
    ...(report.joules === null
      ? []
      : [joules === null ? notMeasured : `${bound}${formatJoules(joules)}${model}`]),
    ...(report.carbonGrams === null
      ? []
      : [carbonGrams === null ? notMeasured : `${bound}${fixedKeeping(carbonGrams, 1)} g`]),
  ]
}

export const moneyText = ({ total, isLowerBound }: CostSide): string =>
  total === null ? notMeasured : `${isLowerBound ? lowerBoundWords : ''}${fixedKeeping(total, 2)}`

/** What could not be priced, one sentence for each reason; and how many attempts the energy does not include. */
export function costSentences({ unpriced, jobs, joules, jobsWithoutEnergy }: CostReport): string[] {
  const sentences = unpriced.map(({ side, thing, why, jobs: many }) => {
    const whose = jobs.length === 1 ? '' : ` of ${count(many, 'attempt')}`
    return `Not priced: ${side} ${thing}${whose} (${why}).`
  })
  if (joules === null || jobsWithoutEnergy === 0) return sentences
  const lacking = `The energy of ${jobsWithoutEnergy} of ${count(jobs.length, 'attempt')} is not known.`
  return [...sentences, lacking]
}
