import { dirname, resolve } from 'node:path'
import { stdioPath } from '../../model/stdio-path.ts'
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
    'Without a job, prints what all jobs of the newest workflow wrote. Prints the latest attempt unless --attempt names another. If several workflows have a job with that name, the newest one counts. The order between the two streams is not recorded: standard output comes first. With --stdout or --stderr, nothing is added to what the job wrote.',
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
  const reader = openReader(system, options.db)
  const print = (bytes: Uint8Array): void => console.printBytes(bytes)
  if (given.job === undefined) {
    const { workflowId } = await workflowRow(reader, options.workflow)
    const hasPrinted = printEndedLogs(
      system,
      await streamsOfAll(system, reader, workflowId, options),
      print,
    )
    await reader.close()
    if (!hasPrinted) console.complain(`no job of workflow ${workflowId} has written anything`)
    return 0
  }
  const job = await findWorkflowJob(reader, given.job, options.workflow)
  const following = options.follow ? new Following(system, reader) : undefined
  await following?.untilStarted(job, () =>
    console.complain(`job ${job.name} has not started yet; waiting for it`),
  )
  if (following !== undefined && following.exitCode > 0) return following.exitCode
  const result = await findAttempt(reader, job, options.attempt)
  const run = await runOf(reader, job, result)
  requireFolder(system, run)
  const streams = streamsOf(run, job, result, options)
  refuseUnreadable(system, streams)
  const goesOn = async (): Promise<boolean> =>
    (await following?.goesOn(result.record.taskId)) ?? false
  const hasPrinted = await printLogs(system, streams, print, goesOn)
  const [latest] = await reader.jobs.findByPrefix(result.record.taskId)
  const isRunning = latest?.status === 'running'
  await reader.close()
  if (!hasPrinted) console.complain(nothingText(job.name, streams, isRunning))
  return following?.exitCode ?? 0
})

async function runOf(
  reader: LedgerReader,
  job: JobPlace,
  { runId }: ResultRow,
): Promise<RunRow | undefined> {
  const runs = await reader.workflows.runs(job.workflowId)
  return runs.find((run) => run.runId === runId)
}

/** A log that stays empty is never made, so a file that is missing says nothing; a folder that is missing does. */
function requireFolder({ files }: System, run: RunRow | undefined): void {
  const place = { workflowId: 0, jobId: 0, runId: 0, attempt: 0 }
  const folder = dirname(resolve(stdioPath(run?.outputDirectory ?? '.', place, 'o')))
  if (files.list(folder).kind === 'ok') return
  throw new UserError(
    `${folder} does not exist: the output directory was moved or deleted` +
      (run === undefined ? '' : `, or is on ${run.host}`),
  )
}

/** What is there and cannot be read must not pass for nothing. */
function refuseUnreadable({ files }: System, streams: readonly LogStream[]): void {
  for (const { path } of streams) {
    if (files.isMissing(path)) continue
    const descriptor = files.openLog(path)
    if (descriptor < 0)
      throw new UserError(`${path} is not a regular file, or not yours to read: it is skipped`)
    files.close(descriptor)
  }
}

function streamsOf(
  run: RunRow | undefined,
  job: Pick<JobPlace, 'workflowId' | 'jobId'>,
  { runId, attempt }: Pick<ResultRow, 'runId' | 'attempt'>,
  { stdout, stderr }: Options,
): LogStream[] {
  const place = { ...job, runId, attempt }
  const both = stdout === stderr
  const streams = [
    { stream: 'o', heading: 'standard output', isAsked: both || stdout },
    { stream: 'e', heading: 'standard error', isAsked: both || stderr },
  ] as const
  return streams
    .filter(({ isAsked }) => isAsked)
    .map(({ stream, heading }) => ({
      heading,
      path: resolve(stdioPath(run?.outputDirectory ?? '.', place, stream)),
    }))
}

async function streamsOfAll(
  system: System,
  reader: LedgerReader,
  workflowId: number,
  options: Options,
): Promise<Iterable<LogStream>> {
  const runs = new Map((await reader.workflows.runs(workflowId)).map((run) => [run.runId, run]))
  const results = await reader.workflows.briefResults(workflowId, {}, [], (result) => result)
  for (const runId of new Set(results.map((result) => result.runId)))
    requireFolder(system, runs.get(runId))
  return results.flatMap((result) => {
    const { jobId, runId, record } = result
    const streams = streamsOf(runs.get(runId), { workflowId, jobId }, result, options)
    return streams.map((stream) => ({
      ...stream,
      heading: `${printable(record.name)}: ${stream.heading}`,
    }))
  })
}

function nothingText(name: string, streams: readonly LogStream[], isRunning: boolean): string {
  const [only, another] = streams
  const where = only === undefined || another !== undefined ? '' : ` to its ${only.heading}`
  return isRunning
    ? `job ${name} has written nothing${where} yet`
    : `job ${name} wrote nothing${where}`
}
