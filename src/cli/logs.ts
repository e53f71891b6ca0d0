import { basename, dirname, resolve } from 'node:path'
import type { AttemptStatus } from '../model/outcome.ts'
import { stdioPath } from '../model/stdio-path.ts'
import { realSystem } from '../system/real.ts'
import type { Files } from '../system/system.ts'
import { commandAction } from './command/action.ts'
import { defineCommand, globalOptions } from './command/define.ts'
import { openLedger } from './ledger.ts'
import { printLog } from './log-file.ts'
import { UserError } from './user-error.ts'
import { findAttempt, findWorkflowJob } from './workflow-job.ts'

const { db } = globalOptions
const definition = defineCommand({
  name: 'logs',
  aliases: [],
  summary: 'Prints what a job of a workflow wrote to its standard output.',
  usage: 'logs JOB [options]',
  description:
    'The latest attempt is meant unless --attempt names another. A name that several workflows have means the job of the newest.',
  arguments: [{ name: 'job', required: true, says: "the job's number or its name" }],
  options: {
    follow: { type: 'boolean', short: 'f', says: 'go on until the attempt ends' },
    stderr: { type: 'boolean', says: 'its standard error instead' },
    workflow: { type: 'string', value: 'ID', example: '1', says: 'the workflow it belongs to' },
    attempt: { type: 'number', value: 'N', min: 1, whole: true, says: 'this attempt of it' },
    db,
  },
  examples: ['jobmeter logs train', 'jobmeter logs train --stderr --follow --workflow 3'],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = openLedger(system, options.db)
  const job = findWorkflowJob(ledger, given.job, options.workflow)
  const result = findAttempt(ledger, job, options.attempt)
  const run = ledger.workflows.runs(job.workflowId).find(({ runId }) => runId === result.runId)
  const place = { ...job, runId: result.runId, attempt: result.attempt }
  const path = resolve(stdioPath(run?.outputDirectory ?? '.', place, options.stderr ? 'e' : 'o'))
  const stream = options.stderr ? 'standard error' : 'standard output'
  const status = (): AttemptStatus =>
    ledger.jobs.findByPrefix(result.record.taskId)[0]?.status ?? result.record.status
  const stillRuns = (): boolean => options.follow && status() === 'running'
  if (stillRuns() && !isListed(system.files, path))
    console.note(`jobmeter: waiting for job ${job.name} to write to its ${stream}\n`)
  const printedBytes = await printLog(system, path, (bytes) => console.print(bytes), stillRuns)
  const statusNow = status()
  ledger.close()
  if (printedBytes === undefined) explainMissing(system.files, path, run?.host)
  if (printedBytes === undefined || printedBytes === 0)
    console.note(
      `jobmeter: ${nothingWritten(job.name, stream, statusNow)}${printedBytes === undefined ? ` (no ${path})` : ''}\n`,
    )
  return 0
})

/** A log that stays empty is not kept: that it is not there means something only if its folder is. */
function explainMissing(files: Files, path: string, host: string | undefined): void {
  if (files.list(dirname(path)).kind !== 'ok')
    throw new UserError(
      `${path} is not there: the output directory was moved or deleted` +
        (host === undefined ? '' : `, or is on ${host}`),
    )
  if (isListed(files, path))
    throw new UserError(`${path} is not a plain file, or not yours to read`)
}

function isListed(files: Files, path: string): boolean {
  const names = files.list(dirname(path))
  return names.kind === 'ok' && names.value.includes(basename(path))
}

function nothingWritten(name: string, stream: string, status: AttemptStatus): string {
  if (status === 'running') return `job ${name} has written nothing to its ${stream} so far`
  // Logs have their names after a tenth of a second; those that had none are gone with their runner.
  if (status === 'interrupted')
    return `job ${name} wrote nothing to its ${stream}, or its runner was killed just as it began`
  return `job ${name} wrote nothing to its ${stream}`
}
