import { jobReport, type JobReport } from '../../analysis/job/job-report.ts'
import type { JobRecord } from '../../model/record.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { samplesOf } from '../job-samples.ts'

/** What happened in a job: its phases, what held it back, whether it leaks memory. */
export async function reportOfJob(
  reader: LedgerReader,
  record: JobRecord,
  outputDirectory: string | undefined,
): Promise<JobReport> {
  const samples = await samplesOf(reader, record, outputDirectory)
  const marks = await reader.jobs.marks(record.taskId)
  return jobReport(record, samples.series.rows, samples.whyNone, marks)
}
