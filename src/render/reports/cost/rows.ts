import type { CostReport, PricedJob } from '../../../analysis/cost/cost-report.ts'
import type { CostSide } from '../../../analysis/cost/job-cost.ts'
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
  const { requested, used, joules, carbonGrams, isModel } = report
  return [...rows, cells('Total', '', requested, used, { joules, carbonGrams, isModel }, report)]
}

function jobRow({ record, requested, used, energy }: PricedJob, report: CostReport): string[] {
  return cells(record.name, String(record.attempt ?? ''), requested, used, energy, report)
}

interface Energy {
  readonly joules: number | null
  readonly carbonGrams: number | null
  readonly isModel: boolean
}

function cells(
  name: string,
  attempt: string,
  requested: CostSide,
  used: CostSide,
  { joules, carbonGrams, isModel }: Energy,
  report: CostReport,
): string[] {
  const model = isModel ? ' (model)' : ''
  return [
    name,
    attempt,
    moneyText(requested),
    moneyText(used),
    ...(report.joules === null
      ? []
      : [joules === null ? notMeasured : `${formatJoules(joules)}${model}`]),
    ...(report.carbonGrams === null
      ? []
      : [carbonGrams === null ? notMeasured : `${fixedKeeping(carbonGrams, 1)} g`]),
  ]
}

export const moneyText = ({ total, isLowerBound }: CostSide): string =>
  total === null ? notMeasured : `${isLowerBound ? lowerBoundWords : ''}${fixedKeeping(total, 2)}`

/** What could not be priced, one sentence for each reason. */
export function unpricedSentences({ unpriced, jobs }: CostReport): string[] {
  return unpriced.map(({ side, thing, why, jobs: many }) => {
    const whose = jobs.length === 1 ? '' : ` of ${count(many, 'attempt')}`
    return `Not priced: ${side} ${thing}${whose} (${why}).`
  })
}
