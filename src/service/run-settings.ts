import { join } from 'node:path'
import type { Meter } from '../meter/meter.ts'
import type { KeptSettings } from '../model/kept-settings.ts'
import type { Workflow } from '../model/workflow.ts'
import type { System } from '../system/system.ts'
import type { RunSettings } from '../workflow/run/runner-tools.ts'
import { capacityOf, leastDescriptors } from './capacity.ts'
import type { SlurmBy } from './executors/executor-names.ts'
import { UserError } from './user-error.ts'

/** How a workflow is to be run, as far as somebody says so. */
export interface GivenSettings extends KeptSettings {
  /** How jobs go to Slurm; without it: by workers if the workflow schedules nodes, else by arrays where jobs are alike. */
  readonly slurmBy?: SlurmBy | undefined
}

const defaultGraceSeconds = 10

/** `kept`: what of that was said of an earlier run, and not again. */
export function runSettings(
  system: System,
  meter: Meter,
  given: GivenSettings,
  workingDirectory: string,
  kept: KeptSettings,
): RunSettings {
  const { mostDescriptors } = system.host
  const needed = leastDescriptors(system)
  if (mostDescriptors < needed)
    throw new UserError(
      `only ${mostDescriptors} files may be open (ulimit -n): a workflow needs at least ${needed}`,
      'state',
    )
  return {
    capacity: capacityOf(system, meter, given.capacity, kept.capacity),
    outputDirectory: given.outputDirectory ?? join(workingDirectory, 'output'),
    failFast: given.failFast ?? false,
    strictFiles: given.strictFiles ?? false,
    graceSeconds: given.graceSeconds ?? defaultGraceSeconds,
  }
}

/** What a workflow's own file says of how it is to be run, where nobody says otherwise. */
export function settingsFor(
  settings: RunSettings,
  workflow: Workflow,
  given: Pick<GivenSettings, 'strictFiles'>,
): RunSettings {
  const { capacity } = settings
  const strictFiles = given.strictFiles ?? workflow.strictFiles
  if (workflow.maxParallelJobs === null || capacity.maxParallelJobs !== Infinity)
    return { ...settings, strictFiles }
  const { maxParallelJobs } = workflow
  return { ...settings, strictFiles, capacity: { ...capacity, maxParallelJobs } }
}
