import { count } from '../../../model/count.ts'
import type { Recommendation } from '../../../analysis/sizing/recommendation.ts'
import { savingsJson, type SizingAdviceJson } from './json.ts'
import { savingWords } from './words.ts'

/** The columns that people see. */
export const adviceColumns = [
  { header: 'Requirement', key: 'requirement', align: 'left' },
  { header: 'Jobs', key: 'jobs', align: 'right' },
  { header: 'Resource', key: 'resource_type', align: 'left' },
  { header: 'Requested', key: 'requested', align: 'right' },
  { header: 'Recommended', key: 'recommended', align: 'right' },
  { header: 'Change', key: 'change', align: 'right' },
  { header: 'Confidence', key: 'confidence', align: 'left' },
  { header: 'Reason', key: 'reason', align: 'left' },
] as const satisfies readonly {
  header: string
  key: keyof SizingAdviceJson
  align: 'left' | 'right'
}[]

export const adviceCells = (row: SizingAdviceJson): string[] =>
  adviceColumns.map(({ key }) => String(row[key]))

/** What comes of it in all, in sentences. */
export function summary(recommendation: Recommendation): string[] {
  const { savings, requests, attempts, runs, jobsWithoutRequest } = recommendation
  const hours = savingsJson(savings)
  const over = `${count(attempts, 'attempt')} in ${count(runs, 'run')}`
  const saving = savingWords(hours.saved_core_hours, hours.saved_gb_hours)
  const lines = [
    requests.length === 0 ? 'There is no request to size.' : `Over ${over} this ${saving}.`,
  ]
  if (jobsWithoutRequest > 0)
    lines.push(
      `${count(jobsWithoutRequest, 'job')} without resource_requirements: nothing to change there.`,
    )
  return lines
}
