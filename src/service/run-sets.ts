import { comparedKeys, type ComparedRun } from '../analysis/compare/compared-run.ts'
import type { JobRecord } from '../model/record.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import type { RecordQuery } from '../store/ledger/store.ts'
import type { ResultQuery } from '../store/ledger/workflow-store.ts'
import { findJob } from './find-job.ts'
import { knownRun } from './known-run.ts'
import { UserError } from './user-error.ts'
import { workflowRow } from './find-workflow.ts'

/** How runs are read, by how many there may be: whole records are ten times the work. */
interface Runs<Run> {
  one(record: JobRecord): Run
  commands(query: RecordQuery): Promise<Run[]>
  results(workflowId: number, query: ResultQuery): Promise<readonly { readonly record: Run }[]>
}

/**
 * Runs as people name them: names, task ids or starts of them, `last`, `name:NAME`, `tag:TAG`, `workflow:ID`,
 * `workflow:ID/RUN`, or several of these with commas between. Each run once, in the order found.
 */
export const findRuns = (reader: LedgerReader, typed: string): Promise<JobRecord[]> =>
  runsNamed<JobRecord>(reader, typed, {
    one: (record) => record,
    commands: (query) => reader.jobs.find(query),
    results: (workflowId, query) => reader.workflows.results(workflowId, query),
  })

/** The same runs with what they are compared by. */
export const findComparedRuns = (reader: LedgerReader, typed: string): Promise<ComparedRun[]> =>
  runsNamed<ComparedRun>(reader, typed, {
    one: (record) => record,
    commands: (query) => reader.jobs.findBrief(query, comparedKeys),
    results: (workflowId, query) =>
      reader.workflows.briefResults(workflowId, query, comparedKeys, ({ record, runId }) => ({
        record: { ...record, workflowRun: `${workflowId}/${runId}` },
      })),
  })

async function runsNamed<Run extends { readonly taskId: string }>(
  reader: LedgerReader,
  typed: string,
  runs: Runs<Run>,
): Promise<Run[]> {
  const found = new Map<string, Run>()
  for (const part of typed.split(',').map((word) => word.trim()))
    for (const run of part === '' ? [] : await runsOf(reader, part, runs))
      found.set(run.taskId, run)
  if (found.size === 0) throw new UserError(`"${typed}" does not name a run. See jobmeter history`)
  return [...found.values()]
}

async function runsOf<Run>(reader: LedgerReader, typed: string, runs: Runs<Run>): Promise<Run[]> {
  const colon = typed.indexOf(':')
  const value = typed.slice(colon + 1)
  switch (typed.slice(0, Math.max(0, colon)).toLowerCase()) {
    case '':
      return wordRuns(reader, typed, runs)
    case 'name':
      return runs.commands({ name: value })
    case 'tag':
      return runs.commands({ tag: value })
    case 'workflow':
      return workflowRuns(reader, value, runs)
    default:
      throw new UserError(
        `"${typed}" does not name any runs. Examples: 3f8a21, last, name:train, tag:nightly, workflow:1/2`,
        'usage',
      )
  }
}

/** A bare word is a name; where no job is called so, it begins an id. */
async function wordRuns<Run>(reader: LedgerReader, typed: string, runs: Runs<Run>): Promise<Run[]> {
  const named = typed === 'last' ? [] : await runs.commands({ name: typed })
  if (named.length > 0) return named
  if (typed !== 'last' && (await reader.jobs.findByPrefix(typed.toLowerCase())).length === 0)
    throw new UserError(
      `no job is named "${typed}", and no task id starts with it. See jobmeter history`,
    )
  return [runs.one(await findJob(reader, typed))]
}

async function workflowRuns<Run>(
  reader: LedgerReader,
  value: string,
  runs: Runs<Run>,
): Promise<Run[]> {
  const [id = '', run] = value.split('/')
  const workflow = await workflowRow(reader, id)
  const runId = knownRun(workflow, run === undefined ? undefined : Number(run))
  const query = runId === null ? { allRuns: true } : { runId }
  const results = await runs.results(workflow.workflowId, query)
  return results.map(({ record }) => record)
}
