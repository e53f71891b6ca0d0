import { csv } from '../../text/csv.ts'
import type { Recommendation } from '../../../analysis/sizing/recommendation.ts'
import { adviceRows, type SizingAdviceJson } from './json.ts'

const columns = [
  'requirement',
  'jobs',
  'resource_type',
  'requested',
  'recommended',
  'change',
  'confidence',
  'reason',
  'attempts',
  'unit',
  'requested_value',
  'recommended_value',
  'least_used_value',
  'most_used_value',
] as const satisfies readonly (keyof SizingAdviceJson)[]

export function recommendationCsv(recommendation: Recommendation): string {
  const rows = adviceRows(recommendation)
  return csv([columns, ...rows.map((row) => columns.map((column) => row[column]))])
}
