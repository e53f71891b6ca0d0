import type { Ledger } from '../../store/ledger/ledger.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, type OptionValues } from '../command/define.ts'
import { openLedgerPatiently } from '../ledger/ledger.ts'
import type { MendedSpec } from '../../service/mended-spec.ts'
import { specToResume, specWords } from './spec-to-resume.ts'
import { workflowRunOptions } from './run-settings.ts'
import { storeSpec, type SpecFile } from '../../service/spec-file.ts'
import { readSpecFile, tellUnused } from './spec-file.ts'
import { UserError } from '../../service/user-error.ts'
import { runStoredWorkflow } from './workflow-run.ts'

const definition = defineCommand({
  name: 'run',
  aliases: [],
  summary: 'Runs a workflow file: keeps it in the ledger and runs its jobs, each one measured.',
  usage: 'run SPEC [options] | run [SPEC] --resume ID [options]',
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
      says: 'run what is left of a workflow in the ledger, never what succeeded; with SPEC: also what that changed, and what depends on it',
    },
    use: {
      type: 'choice',
      choices: specWords,
      says: 'with --resume, where the file has changed since: go on with the file as it is now, or with what was stored',
    },
    'resource-monitoring': { type: 'boolean', default: true, says: 'do not watch the jobs' },
    ...workflowRunOptions,
    ...globalOptions,
  },
  examples: [
    'jobmeter run pipeline.yaml --max-parallel-jobs 4',
    'jobmeter run --resume 3',
    'jobmeter run pipeline.yaml --resume 3',
    'jobmeter run pipeline.yaml --fail-fast --format json',
  ],
})

export const execute = commandAction(
  definition,
  async ({ options, arguments: given, console, warmUp }) => {
    const system = realSystem({ ownsProcess: true })
    if (options.use !== undefined && (options.resume === undefined || given.spec !== undefined))
      throw new UserError('--use belongs to --resume ID without a file', 'usage')
    // Before the ledger is opened: a file with errors leaves no trace.
    const spec = given.spec === undefined ? undefined : readSpecFile(system, given.spec)
    if (spec !== undefined && !options.quiet) tellUnused(spec, console)
    const ledger = openLedgerPatiently(system, options.db, options)
    const { workflowId, mended } = whatToRun(system, ledger, spec, options)
    await warmUp
    const code = await runStoredWorkflow(system, ledger, workflowId, options, console, mended)
    return system.processes.exit(code)
  },
)

interface WhatToRun {
  readonly workflowId: number
  readonly mended?: MendedSpec
}

function whatToRun(
  system: System,
  ledger: Ledger,
  spec: SpecFile | undefined,
  options: OptionValues<typeof definition>,
): WhatToRun {
  const { resume, use } = options
  const monitored = options['resource-monitoring']
  if (resume === undefined) {
    if (spec === undefined)
      throw new UserError('give a workflow file, --resume ID, or both', 'usage')
    return { workflowId: storeSpec(system, ledger, spec, { monitored }) }
  }
  const changed = spec ?? specToResume(system, ledger, resume, use)
  return changed === undefined
    ? { workflowId: resume }
    : { workflowId: resume, mended: { spec: changed, monitored } }
}
