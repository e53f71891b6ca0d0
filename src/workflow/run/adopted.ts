import type { JobRecord } from '../../model/record.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import type { AttemptStart } from '../../store/ledger/store.ts'
import type { ResultRow, StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import type { Files } from '../../system/system.ts'
import type { Attempt } from './attempt.ts'
import type { Capacity, Place } from './capacity.ts'
import type { LeftAttempt } from './executor.ts'
import { parseLeftNote } from './left-note.ts'
import { Retries } from './retries.ts'
import { markInputs } from './stale-inputs.ts'

interface Circumstances {
  readonly files: Files
  readonly ledger: Ledger
  readonly capacity: Capacity
  readonly outputDirectory: string
}

/** Attempts of an earlier run that may still run, as this run goes on with them: the last of each job. */
export function adoptedAttempts(
  circumstances: Circumstances,
  stored: StoredWorkflow,
  left: readonly LeftAttempt[],
): Attempt[] {
  if (left.length === 0) return []
  const { ledger } = circumstances
  const known = new Map(left.map((each) => [each.taskId, each]))
  const latest = new Map<number, ResultRow>()
  for (const row of ledger.workflows.results(stored.workflowId, {
    status: ['interrupted'],
    allRuns: true,
  }))
    if (known.has(row.record.taskId) && (latest.get(row.jobId)?.attempt ?? 0) < row.attempt)
      latest.set(row.jobId, row)
  const directories = new Map(
    ledger.workflows
      .runs(stored.workflowId)
      .map(({ runId, outputDirectory }) => [runId, outputDirectory]),
  )
  return stored.jobs.flatMap((job, position) => {
    const row = latest.get(job.jobId)
    const found = row && known.get(row.record.taskId)
    // One that was cancelled was asked to end, and is not waited for.
    const isSettled = job.state === 'success' || job.state === 'cancelled'
    if (row === undefined || found === undefined || isSettled) return []
    const record = startOf(row.record)
    const { jobId, runId, attempt } = row
    const outputDirectory = directories.get(runId) ?? circumstances.outputDirectory
    return [
      {
        stored: job,
        start: { position, ...placeOf(record, found, circumstances.capacity) },
        identity: { workflowId: stored.workflowId, runId, jobId, attempt, outputDirectory },
        ref: ledger.jobs.adopt({ start: record, rows: new Float64Array(), count: 0, end: null }),
        record,
        retries: new Retries(),
        // What was written since it started it may or may not have read.
        inputs: markInputs(circumstances.files, stored.workflow, job.job.inputFiles).filter(
          ({ modifiedSeconds }) => modifiedSeconds < record.startedAt,
        ),
        left: found,
      },
    ]
  })
}

function startOf(record: JobRecord): AttemptStart {
  const { name, tool, script, params, tags, command, workingDirectory, requirements } = record
  const { taskId, user, machine, owner, startedAt, samples } = record
  return {
    job: { name, tool, script, params, tags, command, workingDirectory, requirements },
    taskId,
    user,
    machine,
    owner,
    startedAt,
    intervalSeconds: samples.intervalSeconds,
  }
}

/** What it takes, and where: -1 for a node that is not there any more, of which nothing is to be taken. */
function placeOf({ machine }: AttemptStart, { note }: LeftAttempt, { nodes }: Capacity): Place {
  const node = nodes.findIndex((each) => each.machine.host === machine.host)
  return { node, gpus: parseLeftNote(note ?? '')?.gpus ?? [] }
}
