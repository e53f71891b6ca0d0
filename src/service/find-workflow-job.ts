import type { Ledger } from '../store/ledger/ledger.ts'
import type { JobPlace, ResultRow } from '../store/ledger/workflow-store.ts'
import { UserError } from './user-error.ts'
import { workflowRow } from './find-workflow.ts'

/** A job of a workflow by its number or name; of several that have it, the newest workflow's. */
export function findWorkflowJob(
  ledger: Ledger,
  typed: string,
  workflow: string | undefined,
): JobPlace {
  const within =
    workflow === undefined ? {} : { workflowId: workflowRow(ledger, workflow).workflowId }
  const byId = /^\d+$/.test(typed)
    ? ledger.workflows.findJobs({ ...within, jobId: Number(typed) })
    : []
  const [found] = [...byId, ...ledger.workflows.findJobs({ ...within, name: typed })]
  if (found === undefined)
    throw new UserError(
      `no job${workflow === undefined ? '' : ` of workflow ${workflow}`} has the number or the name "${typed}". ` +
        `See jobmeter jobs list ${workflow ?? 'ID'}`,
    )
  return found
}

/** The latest attempt of a job, or the one that was asked for. */
export function findAttempt(ledger: Ledger, job: JobPlace, attempt: number | undefined): ResultRow {
  const { workflowId, jobId, name, attempts } = job
  const results = ledger.workflows.results(workflowId, { jobId, allRuns: true })
  const found =
    attempt === undefined ? results.at(-1) : results.find((result) => result.attempt === attempt)
  if (found !== undefined) return found
  throw new UserError(
    attempts === 0
      ? `job ${name} has not started yet. See jobmeter workflows status ${workflowId}`
      : `job ${name} has had ${attempts} attempt${attempts === 1 ? '' : 's'}; there is no record of ${attempt === undefined ? 'them' : `attempt ${attempt}`}`,
  )
}
