import { realSystem } from '../system/real.ts'
import { commandAction } from './command/action.ts'
import { defineCommand, globalOptions } from './command/define.ts'
import { openLedgerPatiently } from './ledger.ts'
import { workflowRunOptions } from './run-settings.ts'
import { readSpecFile, storeSpec } from './spec-file.ts'
import { UserError } from './user-error.ts'
import { runStoredWorkflow } from './workflow-run.ts'

const definition = defineCommand({
  name: 'run',
  aliases: [],
  summary: 'Runs a workflow file: keeps it in the ledger and runs its jobs, each one measured.',
  usage: 'run SPEC [options]',
  description:
    'The exit code is 0 if every job succeeded, 1 if not, 2 if the file has errors. See also jobmeter run --help, for single commands.',
  arguments: [
    { name: 'spec', required: false, says: 'the file: .yaml, .yml, .json, .json5 or .kdl' },
  ],
  options: {
    resume: {
      type: 'number',
      value: 'ID',
      min: 1,
      whole: true,
      says: 'run what is left of a workflow in the ledger, never what succeeded',
    },
    'resource-monitoring': { type: 'boolean', default: true, says: 'do not watch the jobs' },
    ...workflowRunOptions,
    ...globalOptions,
  },
  examples: [
    'jobmeter run pipeline.yaml --max-parallel-jobs 4',
    'jobmeter run --resume 3',
    'jobmeter run pipeline.yaml --fail-fast --format json',
  ],
})

export const execute = commandAction(
  definition,
  async ({ options, arguments: given, console, warmUp }) => {
    const system = realSystem({ ownsProcess: true })
    if ((given.spec === undefined) === (options.resume === undefined))
      throw new UserError('give either a workflow file or --resume ID', 2)
    const spec = given.spec === undefined ? undefined : readSpecFile(system, given.spec)
    const ledger = openLedgerPatiently(system, options.db)
    const workflowId =
      spec === undefined
        ? (options.resume ?? 0)
        : storeSpec(system, ledger, spec, { monitored: options['resource-monitoring'] })
    await warmUp?.over
    const code = await runStoredWorkflow(system, ledger, workflowId, options, console)
    return system.processes.exit(code)
  },
)
