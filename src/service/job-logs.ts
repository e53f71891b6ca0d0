import { dirname, resolve } from 'node:path'
import { stdioPath } from '../model/stdio-path.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import type { JobPlace, ResultRow, RunRow } from '../store/ledger/workflow-store.ts'
import type { System } from '../system/system.ts'
import { hasFilesOfRuns, whereFilesAre } from './files-of-runs.ts'
import { findJob } from './find-job.ts'
import { UserError } from './user-error.ts'

export const logStreams = ['stdout', 'stderr'] as const
export type LogStreamName = (typeof logStreams)[number]

const letterOf = { stdout: 'o', stderr: 'e' } as const

/** Where an attempt of a workflow's job writes. */
export const logPath = (
  run: RunRow | undefined,
  job: Pick<JobPlace, 'workflowId' | 'jobId'>,
  { runId, attempt }: Pick<ResultRow, 'runId' | 'attempt'>,
  stream: LogStreamName,
): string =>
  resolve(stdioPath(run?.outputDirectory ?? '.', { ...job, runId, attempt }, letterOf[stream]))

/** A team's ledger has no logs. */
export function refuseLogsElsewhere(
  reader: Pick<LedgerReader, 'path'>,
  run: RunRow | undefined,
): void {
  if (hasFilesOfRuns(reader)) return
  throw new UserError(
    `the team ledger keeps no logs; those of this job are ${whereFilesAre(run)}. ` +
      'On that machine, jobmeter logs shows them',
  )
}

/** A log that stays empty is never made, so a file that is missing says nothing; a folder that is missing does. */
export function whyNoLogFolder({ files }: System, run: RunRow | undefined): string | null {
  const folder = dirname(
    logPath(run, { workflowId: 0, jobId: 0 }, { runId: 0, attempt: 0 }, 'stdout'),
  )
  if (files.list(folder).kind === 'ok') return null
  return (
    `${folder} does not exist: the output directory was moved or deleted` +
    (run === undefined ? '' : `, or is on ${run.host}`)
  )
}

/** What is there and cannot be read must not pass for nothing. */
export function whyUnreadableLog({ files }: System, path: string): string | null {
  if (files.isMissing(path)) return null
  const descriptor = files.openLog(path)
  if (descriptor < 0) return `${path} is not a regular file, or not yours to read: it is skipped`
  files.close(descriptor)
  return null
}

/** Refuses what one of the two says of one job. */
export function refuseLogs(why: string | null): void {
  if (why !== null) throw new UserError(why)
}

/** Why a job that no workflow has by that id or name has no logs; null for one that is not known at all. */
export async function whyNoLogsOf(reader: LedgerReader, typed: string): Promise<string | null> {
  const record = await findJob(reader, typed).catch(() => undefined)
  if (record === undefined) return null
  const { taskId, name } = record
  const [listed] = await reader.jobs.page({ taskId, limit: 1 }, null)
  const workflowId = listed?.job.workflowId ?? null
  return workflowId === null
    ? `job ${name} belongs to no workflow: the output of jobmeter run goes to the terminal and is not kept`
    : `"${typed}" is job ${name} of workflow ${workflowId}. See jobmeter logs ${name} --workflow ${workflowId}`
}

/** The log of one attempt, by its task id; null for a single command, whose output jobmeter does not keep. */
export async function logOfTask(
  system: System,
  reader: Pick<LedgerReader, 'path' | 'jobs' | 'workflows'>,
  taskId: string,
  stream: LogStreamName,
): Promise<string | null> {
  const { jobs, workflows } = reader
  const record = (await jobs.findByPrefix(taskId)).find((one) => one.taskId === taskId)
  if (record === undefined) throw new UserError(`no job has the task id ${taskId}`)
  const { jobId, attempt } = record
  const [listed] = await jobs.page({ taskId, limit: 1 }, null)
  const { workflowId = null, runId = null } = listed?.job ?? {}
  if (workflowId === null || runId === null || jobId === null) return null
  const run = (await workflows.runs(workflowId)).find((one) => one.runId === runId)
  refuseLogsElsewhere(reader, run)
  refuseLogs(whyNoLogFolder(system, run))
  const path = logPath(run, { workflowId, jobId }, { runId, attempt }, stream)
  refuseLogs(whyUnreadableLog(system, path))
  return path
}
