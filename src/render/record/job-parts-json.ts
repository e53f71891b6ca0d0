import type { MainThread } from '../../analysis/job/main-threads.ts'
import type { Straggler } from '../../model/outcome.ts'
import { roundKeeping } from '../units/figures.ts'

interface JobParts {
  readonly processesPeak: number | null
  readonly processesStarted: number | null
  readonly largestProcessPeakBytes: number | null
  readonly stragglers: readonly Straggler[]
  readonly threads: readonly MainThread[]
}

/** The processes and threads of a job that mattered. */
export const jobPartsJson = (taskId: string, parts: JobParts): object => ({
  task_id: taskId,
  processes_peak: parts.processesPeak,
  processes_started: parts.processesStarted,
  largest_process_peak_bytes: parts.largestProcessPeakBytes,
  stragglers: parts.stragglers.map(({ pid, command }) => ({ pid, command })),
  threads: parts.threads.map(({ pid, tid, name, cpuSeconds }) => ({
    pid,
    tid,
    name,
    cpu_seconds: roundKeeping(cpuSeconds, 3),
  })),
})
