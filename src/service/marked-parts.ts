import { markReport, type MarkReport } from '../analysis/series/marked.ts'
import type { JobRecord } from '../model/record.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import { samplesOf } from './job-samples.ts'

/** What lay between the marks of a job; null where it set none. Samples are read only where there are marks. */
export async function markedParts(
  reader: LedgerReader,
  record: JobRecord,
  movedTo: string | undefined,
): Promise<MarkReport | null> {
  const marks = await reader.jobs.marks(record.taskId)
  if (marks.length === 0) return null
  const { series } = await samplesOf(reader, record, movedTo)
  return markReport(marks, series.rows, record.durationSeconds ?? 0)
}
