import { resolve } from 'node:path'
import { stdioPath } from '../model/stdio-path.ts'
import { realSystem } from '../system/real.ts'
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
  const stream = options.stderr ? 'e' : 'o'
  const path = resolve(stdioPath(run?.outputDirectory ?? '.', place, stream))
  const stillRuns = (): boolean =>
    options.follow && ledger.jobs.findByPrefix(result.record.taskId)[0]?.status === 'running'
  const printed = await printLog(system, path, (bytes) => console.print(bytes), stillRuns)
  ledger.close()
  if (!printed)
    throw new UserError(
      `${path} is not there: the output directory was moved or deleted` +
        (run === undefined ? '' : `, or is on ${run.host}`),
    )
  return 0
})
