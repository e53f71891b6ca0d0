import { isOpen } from '../../model/outcome.ts'
import { mayBeQueued } from '../../model/queue-tag.ts'
import { printable } from '../../render/text/printable.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { JobPlace, ResultRow, RunRow } from '../../store/ledger/workflow-store.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, type OptionValues } from '../command/define.ts'
import { Following } from '../terminal/following.ts'
import { openReader } from '../ledger/ledger.ts'
import { printEndedLogs, printLogs, type LogStream } from './log-file.ts'
import {
  logPath,
  refuseLogs,
  refuseLogsElsewhere,
  whyNoLogFolder,
  whyNoLogsOf,
  whyUnreadableLog,
} from '../../service/job-logs.ts'
import { UserError } from '../../service/user-error.ts'
import { findAttempt, findWorkflowJob } from '../../service/find-workflow-job.ts'
import { workflowRow } from '../../service/find-workflow.ts'

const { db } = globalOptions
const definition = defineCommand({
  name: 'logs',
  aliases: [],
  summary: 'Prints what a job of a workflow wrote to its standard output and standard error.',
  usage: 'logs [JOB] [options]',
  description:
    'Without a job, prints what all jobs of the newest workflow wrote. Prints the latest attempt unless --attempt names another. If several workflows have a job with that name, the newest one counts. The order between the two streams is not recorded: standard output comes first. With --stdout or --stderr, nothing is added to what the job wrote. For a job of the queue, give its id, and --db postgres://… if no team was joined: the last 1 MB of each stream is kept there while it runs and afterwards.',
  arguments: [{ name: 'job', required: false, says: 'the id or name of the job' }],
  options: {
    follow: { type: 'boolean', short: 'f', says: 'keep printing until the attempt ends' },
    stdout: { type: 'boolean', says: 'only its standard output' },
    stderr: { type: 'boolean', says: 'only its standard error' },
    workflow: { type: 'string', value: 'ID', example: '1', says: 'the workflow it belongs to' },
    attempt: {
      type: 'number',
      value: 'N',
      min: 1,
      whole: true,
      says: 'this attempt instead of the latest',
    },
    db,
  },
  examples: [
    'jobmeter logs --follow 3f8a21b2c4d5',
    'jobmeter logs train',
    'jobmeter logs train -f',
    'jobmeter logs train --stderr --workflow 3',
  ],
})

type Options = OptionValues<typeof definition>

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  if (given.job === undefined && (options.follow || options.attempt !== undefined))
    throw new UserError('name a job: --follow and --attempt need one', 'usage')
  const system = realSystem({ ownsProcess: false })
  if (given.job !== undefined && options.workflow === undefined && mayBeQueued(given.job)) {
    const { printQueueLogs } = await import('../queue/queue-logs.ts')
    const code = await printQueueLogs(system, given.job, options, console)
    if (code !== undefined) return code
  }
  const reader = openReader(system, options.db)
  const print = (bytes: Uint8Array): void => console.printBytes(bytes)
  if (given.job === undefined) {
    const { workflowId } = await workflowRow(reader, options.workflow)
    let hasSkipped = false
    const skip = (why: string): void => {
      hasSkipped = true
      console.complain(why)
    }
    const streams = await streamsOfAll(system, reader, workflowId, options, skip)
    const hasPrinted = printEndedLogs(system, readable(system, streams, skip), print)
    await reader.close()
    if (hasSkipped) return 1
    if (!hasPrinted) console.complain(`no job of workflow ${workflowId} has written anything`)
    return 0
  }
  const job = await jobWithLogs(reader, given.job, options.workflow)
  const following = options.follow ? new Following(system, reader) : undefined
  await following?.untilStarted(job, () =>
    console.complain(`job ${job.name} has not started yet; waiting for it`),
  )
  if (following !== undefined && following.exitCode > 0) return following.exitCode
  const result = await findAttempt(reader, job, options.attempt)
  const run = await runOf(reader, job, result)
  refuseLogsElsewhere(reader, run)
  refuseLogs(whyNoLogFolder(system, run))
  const streams = streamsOf(run, job, result, options)
  for (const { path } of streams) refuseLogs(whyUnreadableLog(system, path))
  const goesOn = async (): Promise<boolean> =>
    (await following?.goesOn(result.record.taskId)) ?? false
  const hasPrinted = await printLogs(system, streams, print, goesOn)
  const [latest] = await reader.jobs.findByPrefix(result.record.taskId)
  const isRunning = latest !== undefined && isOpen(latest.status)
  await reader.close()
  if (!hasPrinted) console.complain(nothingText(job.name, streams, isRunning))
  return following?.exitCode ?? 0
})

/** Whoever names a job that is no workflow's is told where its output is. */
async function jobWithLogs(
  reader: LedgerReader,
  typed: string,
  workflow: string | undefined,
): Promise<JobPlace> {
  try {
    return await findWorkflowJob(reader, typed, workflow)
  } catch (error) {
    if (workflow === undefined) refuseLogs(await whyNoLogsOf(reader, typed))
    throw error
  }
}

async function runOf(
  reader: LedgerReader,
  job: JobPlace,
  { runId }: ResultRow,
): Promise<RunRow | undefined> {
  const runs = await reader.workflows.runs(job.workflowId)
  return runs.find((run) => run.runId === runId)
}

function streamsOf(
  run: RunRow | undefined,
  job: Pick<JobPlace, 'workflowId' | 'jobId'>,
  { runId, attempt }: Pick<ResultRow, 'runId' | 'attempt'>,
  { stdout, stderr }: Options,
): LogStream[] {
  const both = stdout === stderr
  const streams = [
    { stream: 'stdout', heading: 'standard output', isAsked: both || stdout },
    { stream: 'stderr', heading: 'standard error', isAsked: both || stderr },
  ] as const
  return streams
    .filter(({ isAsked }) => isAsked)
    .map(({ stream, heading }) => ({
      heading,
      path: logPath(run, job, { runId, attempt }, stream),
    }))
}

/** Runs whose folder is gone are skipped: others have theirs elsewhere. */
async function streamsOfAll(
  system: System,
  reader: LedgerReader,
  workflowId: number,
  options: Options,
  skip: (why: string) => void,
): Promise<LogStream[]> {
  const runs = new Map((await reader.workflows.runs(workflowId)).map((run) => [run.runId, run]))
  const results = await reader.workflows.briefResults(workflowId, {}, [], (result) => result)
  const skipped = new Set<number>()
  for (const runId of new Set(results.map((result) => result.runId))) {
    refuseLogsElsewhere(reader, runs.get(runId))
    const why = whyNoLogFolder(system, runs.get(runId))
    if (why === null) continue
    skipped.add(runId)
    skip(why)
  }
  return results.flatMap((result) => {
    const { jobId, runId, record } = result
    if (skipped.has(runId)) return []
    const streams = streamsOf(runs.get(runId), { workflowId, jobId }, result, options)
    return streams.map((stream) => ({
      ...stream,
      heading: `${printable(record.name)}: ${stream.heading}`,
    }))
  })
}

/** Asked only when it is a log's turn: there may be 100,000. */
function* readable(
  system: System,
  streams: readonly LogStream[],
  skip: (why: string) => void,
): Generator<LogStream> {
  for (const stream of streams) {
    const why = whyUnreadableLog(system, stream.path)
    if (why === null) yield stream
    else skip(why)
  }
}

function nothingText(name: string, streams: readonly LogStream[], isRunning: boolean): string {
  const [only, another] = streams
  const where = only === undefined || another !== undefined ? '' : ` to its ${only.heading}`
  return isRunning
    ? `job ${name} has written nothing${where} yet`
    : `job ${name} wrote nothing${where}`
}
