import type { ComparisonJson, MetricJson } from './json.ts'
import { csv } from '../../text/csv.ts'

const columns = [
  'metric',
  'unit',
  'count_a',
  'count_b',
  'a',
  'b',
  'a_is_lower_bound',
  'b_is_lower_bound',
  'change_percent',
  'change_low_percent',
  'change_high_percent',
  'p_value',
  'least_p_value',
  'test',
  'difference',
] as const satisfies readonly (keyof MetricJson)[]

/** One line a metric. */
export function comparisonCsv({ metrics }: ComparisonJson): string {
  return csv([columns, ...metrics.map((one) => columns.map((column) => cellOf(one[column])))])
}

const cellOf = (value: MetricJson[keyof MetricJson]): string | number | null =>
  typeof value === 'boolean' ? String(value) : value
