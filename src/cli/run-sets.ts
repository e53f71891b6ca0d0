import type { JobRecord } from '../model/record.ts'
import type { Ledger } from '../store/ledger.ts'
import { findJob } from './ledger.ts'
import { UserError } from './user-error.ts'
import { workflowRow } from './workflow-lookup.ts'

/**
 * Runs as people name them: task ids or starts of them, `last`, `name:NAME`, `tag:TAG`, `workflow:ID`,
 * `workflow:ID/RUN`, or several of these with commas between. Each run once, in the order found.
 */
export function findRuns(ledger: Ledger, typed: string): JobRecord[] {
  const found = new Map<string, JobRecord>()
  for (const part of typed.split(',').map((word) => word.trim()))
    for (const record of part === '' ? [] : runsOf(ledger, part)) found.set(record.taskId, record)
  if (found.size === 0) throw new UserError(`"${typed}" names no run. See jobmeter history`)
  return [...found.values()]
}

function runsOf(ledger: Ledger, typed: string): JobRecord[] {
  const colon = typed.indexOf(':')
  const value = typed.slice(colon + 1)
  switch (typed.slice(0, Math.max(0, colon))) {
    case '':
      return [findJob(ledger.jobs, typed)]
    case 'name':
      return ledger.jobs.find({}).filter(({ name }) => name === value)
    case 'tag':
      return ledger.jobs.find({}).filter(({ tags }) => tags.includes(value))
    case 'workflow':
      return workflowRuns(ledger, value)
    default:
      throw new UserError(
        `"${typed}" names no runs. Good ones: 3f8a21, last, name:train, tag:nightly, workflow:1/2`,
        2,
      )
  }
}

function workflowRuns(ledger: Ledger, value: string): JobRecord[] {
  const [id = '', run] = value.split('/')
  const { workflowId, latestRunId } = workflowRow(ledger, id)
  const runId = run === undefined ? undefined : Number(run)
  if (
    runId !== undefined &&
    !(Number.isInteger(runId) && runId >= 1 && runId <= (latestRunId ?? 0))
  )
    throw new UserError(
      `workflow ${workflowId} has had ${latestRunId ?? 0} runs. See jobmeter workflows show ${workflowId}`,
    )
  const query = runId === undefined ? { allRuns: true } : { runId }
  return ledger.workflows.results(workflowId, query).map(({ record }) => record)
}
