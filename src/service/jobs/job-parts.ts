import { mainThreads, type MainThread } from '../../analysis/job/main-threads.ts'
import type { Straggler } from '../../model/outcome.ts'
import type { JobRecord } from '../../model/record.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { samplesOf } from '../job-samples.ts'

/** The processes and threads of a job that mattered, as far as its record has them. */
export interface JobParts {
  readonly processesPeak: number | null
  readonly processesStarted: number | null
  /** The most memory that one process had. */
  readonly largestProcessPeakBytes: number | null
  /** Processes that were still there when the job ended. */
  readonly stragglers: readonly Straggler[]
  /** Most CPU time first; none where threads were not measured. */
  readonly threads: readonly MainThread[]
}

const mostThreads = 10

export async function partsOfJob(reader: LedgerReader, record: JobRecord): Promise<JobParts> {
  const { devices } = await samplesOf(reader, record, undefined)
  const { usage, stragglers } = record
  return {
    processesPeak: usage.processesPeak.value,
    processesStarted: usage.processesStarted.value,
    largestProcessPeakBytes: usage.largestProcessPeakBytes.value,
    stragglers,
    threads: mainThreads(devices, mostThreads),
  }
}
