import { deriveSeries } from '../analysis/rates.ts'
import type { JobRecord } from '../model/record.ts'
import type { SampleRow } from '../model/sample.ts'
import { jsonText } from '../render/json-text.ts'
import { recordJson } from '../render/record-json.ts'
import type { Style } from '../render/style.ts'
import { runSummary } from '../render/summary-text.ts'

/** What a job's end looks like on standard error. */
export function summarise(
  record: JobRecord,
  outline: readonly SampleRow[],
  format: 'table' | 'json',
  style: Style,
): string {
  if (format === 'json') return `${jsonText(recordJson(record), 2)}\n`
  return `\n${runSummary(record, deriveSeries(outline, record.machine.cores), style)}`
}
