import { jsonText } from '../../render/text/json-text.ts'
import { slurmCompareJson, slurmCompareText } from '../../render/workflow/slurm-compare-text.ts'
import { workflowToChange } from '../../service/find-workflow.ts'
import {
  attachedRecords,
  attemptsBySlurmJob,
  compareWithSlurm,
} from '../../service/slurm/compare-slurm.ts'
import { requireSlurm } from '../../service/slurm/require-slurm.ts'
import { UserError } from '../../service/user-error.ts'
import { givenEnvironment } from '../../system/given.ts'
import { realSystem } from '../../system/real.ts'
import { SlurmCommands, SlurmRefusal } from '../../workflow/executors/slurm/slurm-commands.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openLedgerPatiently } from '../ledger/ledger.ts'

const definition = defineCommand({
  name: 'slurm compare',
  aliases: [],
  summary: 'Shows what jobs used beside what the accounting of Slurm says, and why that differs.',
  usage: 'slurm compare (WORKFLOW | --job JOBID) [options]',
  arguments: [
    { name: 'workflow', required: false, says: 'a workflow that ran on Slurm, by its id' },
  ],
  options: {
    job: {
      type: 'string',
      value: 'JOBID',
      says: 'a job that was watched with jobmeter slurm attach',
    },
    ...globalOptions,
  },
  examples: ['jobmeter slurm compare 3', 'jobmeter slurm compare --job 4711'],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  if ((given.workflow === undefined) === (options.job === undefined))
    throw new UserError('name a workflow, or a job of Slurm with --job', 'usage')
  const system = realSystem({ ownsProcess: false })
  const ledger = openLedgerPatiently(system, options.db, { quiet: true })
  const attempts =
    options.job === undefined
      ? attemptsBySlurmJob(ledger, workflowToChange(ledger, given.workflow ?? '').workflowId)
      : new Map([[options.job, attachedRecords(ledger, options.job)]])
  ledger.close()
  if ([...attempts.values()].every((records) => records.length === 0))
    throw new UserError(
      options.job === undefined
        ? `no attempt of workflow ${given.workflow} ran on Slurm`
        : `job ${options.job} was not watched. See jobmeter slurm attach`,
    )
  await requireSlurm(system, 'sacct')
  const commands = new SlurmCommands(system, givenEnvironment())
  const compared = await compareWithSlurm(commands, attempts).catch((error: unknown) => {
    throw error instanceof SlurmRefusal
      ? new UserError(`there is nothing to compare with: ${error.message}`)
      : error
  })
  console.print(
    options.format === 'json'
      ? `${jsonText(slurmCompareJson(compared), 2)}\n`
      : slurmCompareText(compared),
  )
  return 0
})
