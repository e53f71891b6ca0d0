import { deriveSeries } from '../analysis/rates.ts'
import type { AttemptRecord } from '../model/record.ts'
import type { SampleRow } from '../model/sample.ts'
import type { Style } from '../render/style.ts'
import { runSummary } from '../render/summary-text.ts'

/** What a job's end looks like on standard error. */
export function summarise(
  record: AttemptRecord,
  outline: readonly SampleRow[],
  style: Style,
): string {
  return `\n${runSummary(record, deriveSeries(outline, record.machine.cores), style)}`
}
