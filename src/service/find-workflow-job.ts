import { count } from '../model/count.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import type { JobPlace, ResultRow } from '../store/ledger/workflow-store.ts'
import { unstartedText } from './unstarted-job.ts'
import { UserError } from './user-error.ts'
import { workflowRow } from './find-workflow.ts'

/** Jobs that were submitted belong to no workflow, and are known by their ids alone. */
const orInQueue = ', or for jobs of the queue jobmeter queue list'

/** A job of a workflow by its number or name; of several that have it, the newest workflow's. */
export async function findWorkflowJob(
  reader: LedgerReader,
  typed: string,
  workflow: string | undefined,
): Promise<JobPlace> {
  const within =
    workflow === undefined ? {} : { workflowId: (await workflowRow(reader, workflow)).workflowId }
  const byId = /^\d+$/.test(typed)
    ? await reader.workflows.findJobs({ ...within, jobId: Number(typed) })
    : []
  const [found] = [...byId, ...(await reader.workflows.findJobs({ ...within, name: typed }))]
  if (found === undefined)
    throw new UserError(
      `no job${workflow === undefined ? '' : ` of workflow ${workflow}`} has the id or name "${typed}". ` +
        `See jobmeter jobs list ${workflow ?? 'ID'}${workflow === undefined ? orInQueue : ''}`,
    )
  return found
}

/** The latest attempt of a job, or the one that was asked for. */
export async function findAttempt(
  reader: LedgerReader,
  job: JobPlace,
  attempt: number | undefined,
): Promise<ResultRow> {
  const { workflowId, jobId, name, attempts } = job
  const results = await reader.workflows.results(workflowId, { jobId, allRuns: true })
  const found =
    attempt === undefined ? results.at(-1) : results.find((result) => result.attempt === attempt)
  if (found !== undefined) return found
  throw new UserError(
    attempts === 0
      ? unstartedText(job)
      : `job ${name} has had ${count(attempts, 'attempt')}; there is no record of ${attempt === undefined ? 'them' : `attempt ${attempt}`}`,
  )
}
