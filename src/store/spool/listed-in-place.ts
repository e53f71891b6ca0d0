import type { JobInList } from '../../model/listed-job.ts'
import type { JobRecord } from '../../model/record.ts'

/** A record that is not as the ledger has it, as a list shows it, with what only the ledger knows of it. */
export function listed(record: JobRecord, known: JobInList | undefined): JobInList {
  const { taskId, jobId, attempt, name, tool, user, tags, requirements, usage } = record
  const { status, exitCode, signal, reason, startedAt, endedAt, durationSeconds } = record
  return {
    job: {
      taskId,
      jobId,
      attempt,
      name,
      tool,
      user,
      tags,
      requirements,
      status,
      exitCode,
      signal,
      reason,
      startedAt,
      endedAt,
      durationSeconds,
      host: record.machine.host,
      workflowId: known?.job.workflowId ?? null,
      runId: known?.job.runId ?? null,
      usage: {
        cpuTotalSeconds: usage.cpuTotalSeconds,
        cpuPercentMean: usage.cpuPercentMean,
        memoryPeakBytes: usage.memoryPeakBytes,
      },
    },
    place: { startedAt, attemptId: known?.place.attemptId ?? Infinity, taskId },
  }
}
