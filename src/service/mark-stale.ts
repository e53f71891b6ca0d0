import type { RunNotice } from '../model/run-notice.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { StoredWorkflow } from '../store/ledger/workflow-store.ts'
import type { System } from '../system/system.ts'
import { findStale } from '../workflow/run/stale-inputs.ts'

/** Has jobs run again whose inputs are not what they were when they succeeded, and those that follow. */
export function markStale(
  system: System,
  ledger: Ledger,
  stored: StoredWorkflow,
  tell: (notice: RunNotice) => void,
): StoredWorkflow {
  const inputs = ledger.workflows.inputs(stored.workflowId)
  const { stale, changed } = findStale(system.files, stored.jobs, inputs)
  if (stale.size === 0) return stored
  tell({ kind: 'inputs changed', paths: changed, jobs: stale.size })
  const jobs = stored.jobs.map((job, position) =>
    stale.has(position) ? { ...job, state: 'waiting' as const } : job,
  )
  ledger.workflows.setStates(
    [...stale].flatMap((position) => {
      const jobId = stored.jobs[position]?.jobId
      return jobId === undefined ? [] : [{ jobId, state: 'waiting' as const }]
    }),
  )
  return { ...stored, jobs }
}
