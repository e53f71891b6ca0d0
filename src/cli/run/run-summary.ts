import { deriveSeries } from '../../analysis/series/rates.ts'
import type { AttemptRecord } from '../../model/record.ts'
import type { SampleRow } from '../../model/sample.ts'
import type { Style } from '../../render/text/style.ts'
import { runSummary, type SummaryLine } from '../../render/record/summary-text.ts'

/** What a job's end looks like on standard error. */
export function summarise(
  record: AttemptRecord,
  outline: readonly SampleRow[],
  style: Style,
  further: readonly SummaryLine[] = [],
): string {
  return `\n${runSummary(record, deriveSeries(outline, record.machine.cores), style, further)}`
}
