import { comparedKeys, type ComparedRun } from '../analysis/compare/comparison.ts'
import type { JobRecord } from '../model/record.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { RecordQuery } from '../store/ledger/store.ts'
import type { ResultQuery } from '../store/ledger/workflow-store.ts'
import { findJob } from './find-job.ts'
import { knownRun } from './known-run.ts'
import { UserError } from './user-error.ts'
import { workflowRow } from './find-workflow.ts'

/** How runs are read, by how many there may be: whole records are ten times the work. */
interface RunReader<Run> {
  one(record: JobRecord): Run
  commands(query: RecordQuery): Run[]
  results(workflowId: number, query: ResultQuery): readonly { readonly record: Run }[]
}

/**
 * Runs as people name them: names, task ids or starts of them, `last`, `name:NAME`, `tag:TAG`, `workflow:ID`,
 * `workflow:ID/RUN`, or several of these with commas between. Each run once, in the order found.
 */
export const findRuns = (ledger: Ledger, typed: string): JobRecord[] =>
  runsNamed<JobRecord>(ledger, typed, {
    one: (record) => record,
    commands: (query) => ledger.jobs.find(query),
    results: (workflowId, query) => ledger.workflows.results(workflowId, query),
  })

/** The same runs with what they are compared by. */
export const findComparedRuns = (ledger: Ledger, typed: string): ComparedRun[] =>
  runsNamed<ComparedRun>(ledger, typed, {
    one: (record) => record,
    commands: (query) => ledger.jobs.findBrief(query, comparedKeys),
    results: (workflowId, query) =>
      ledger.workflows.briefResults(workflowId, query, comparedKeys, ({ record, runId }) => ({
        record: { ...record, workflowRun: `${workflowId}/${runId}` },
      })),
  })

function runsNamed<Run extends { readonly taskId: string }>(
  ledger: Ledger,
  typed: string,
  reader: RunReader<Run>,
): Run[] {
  const found = new Map<string, Run>()
  for (const part of typed.split(',').map((word) => word.trim()))
    for (const run of part === '' ? [] : runsOf(ledger, part, reader)) found.set(run.taskId, run)
  if (found.size === 0) throw new UserError(`"${typed}" names no run. See jobmeter history`)
  return [...found.values()]
}

function runsOf<Run>(ledger: Ledger, typed: string, reader: RunReader<Run>): Run[] {
  const colon = typed.indexOf(':')
  const value = typed.slice(colon + 1)
  switch (typed.slice(0, Math.max(0, colon)).toLowerCase()) {
    case '':
      return wordRuns(ledger, typed, reader)
    case 'name':
      return reader.commands({ name: value })
    case 'tag':
      return reader.commands({ tag: value })
    case 'workflow':
      return workflowRuns(ledger, value, reader)
    default:
      throw new UserError(
        `"${typed}" names no runs. Good ones: 3f8a21, last, name:train, tag:nightly, workflow:1/2`,
        'usage',
      )
  }
}

/** A bare word is a name; where no job is called so, it begins an id. */
function wordRuns<Run>(ledger: Ledger, typed: string, reader: RunReader<Run>): Run[] {
  const named = typed === 'last' ? [] : reader.commands({ name: typed })
  if (named.length > 0) return named
  if (typed !== 'last' && ledger.jobs.findByPrefix(typed.toLowerCase()).length === 0)
    throw new UserError(
      `no job is called "${typed}", and none has an id that begins so. See jobmeter history`,
    )
  return [reader.one(findJob(ledger.jobs, typed))]
}

function workflowRuns<Run>(ledger: Ledger, value: string, reader: RunReader<Run>): Run[] {
  const [id = '', run] = value.split('/')
  const workflow = workflowRow(ledger, id)
  const runId = knownRun(workflow, run === undefined ? undefined : Number(run))
  const query = runId === null ? { allRuns: true } : { runId }
  return reader.results(workflow.workflowId, query).map(({ record }) => record)
}
