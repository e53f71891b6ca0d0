import type { Ledger } from '../../store/ledger/ledger.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { commandAction } from '../command/action.ts'
import type { OptionValues } from '../command/define.ts'
import { openLedgerPatiently } from '../ledger/ledger.ts'
import { specToResume } from './spec-to-resume.ts'
import { refuseUnusedSlurm } from './run-settings.ts'
import { runSpecDefinition } from './run-spec-definition.ts'
import { storedSpec, storeSpec, type SpecFile } from '../../service/spec-file.ts'
import { readSpecFile, tellUnused } from './spec-file.ts'
import { UserError } from '../../service/user-error.ts'
import { runStoredWorkflow, type WhatToRun } from './workflow-run.ts'

export const execute = commandAction(
  runSpecDefinition,
  async ({ options, arguments: given, console, warmUp }) => {
    const system = realSystem({ ownsProcess: true })
    if (options.use !== undefined && (options.resume === undefined || given.spec !== undefined))
      throw new UserError('--use goes with --resume ID and no file', 'usage')
    if (options['forget-settings'] && options.resume === undefined)
      throw new UserError('--forget-settings goes with --resume ID', 'usage')
    // Before the ledger is opened: what is wrong leaves no trace.
    if (options.resume === undefined) refuseUnusedSlurm(options.executor ?? 'local', options)
    const spec = given.spec === undefined ? undefined : readSpecFile(system, given.spec)
    if (spec !== undefined && !options.quiet && options.executor !== 'slurm')
      tellUnused(spec, console)
    const ledger = openLedgerPatiently(system, options.db, options)
    const whatToRun = chosenWorkflow(system, ledger, spec, options)
    await warmUp
    const code = await runStoredWorkflow(system, ledger, whatToRun, options, console)
    return system.processes.exit(code)
  },
)

function chosenWorkflow(
  system: System,
  ledger: Ledger,
  spec: SpecFile | undefined,
  options: OptionValues<typeof runSpecDefinition>,
): WhatToRun {
  const { resume, use, executor } = options
  const monitored = options['resource-monitoring']
  if (resume === undefined) {
    if (spec === undefined)
      throw new UserError('give a workflow file, --resume ID, or both', 'usage')
    const workflowId = storeSpec(system, ledger, spec, { monitored: monitored ?? true, executor })
    return { workflowId, monitored }
  }
  const changed = spec ?? specToResume(system, ledger, resume, use)
  const before = ledger.workflows.settingsOf(resume).monitored ?? true
  const isMonitored = monitored ?? (options['forget-settings'] || before)
  // What is stored says itself whether its jobs are watched.
  if (changed === undefined && isMonitored === before) return { workflowId: resume, monitored }
  const mended = { spec: changed ?? storedSpec(ledger, resume), monitored: isMonitored }
  return { workflowId: resume, mended, monitored }
}
