import { join } from 'node:path'
import type { Meter } from '../meter/meter.ts'
import type { Workflow } from '../model/workflow.ts'
import type { System } from '../system/system.ts'
import type { RunSettings } from '../workflow/run/runner-tools.ts'
import { capacityOf, type GivenCapacity } from './capacity.ts'
import type { SlurmBy } from './executors/executor-names.ts'
import { UserError } from './user-error.ts'

/** With fewer, the ledger cannot be kept open beside a single job. */
const leastDescriptors = 40

/** How a workflow is to be run, as far as somebody says so. */
export interface GivenSettings extends Omit<RunSettings, 'capacity' | 'outputDirectory'> {
  readonly capacity: GivenCapacity
  /** Whole; without it, `output` in the folder of the workflow. */
  readonly outputDirectory?: string
  /** How jobs go to Slurm; without it: by workers if the workflow schedules nodes, else by arrays where jobs are alike. */
  readonly slurmBy?: SlurmBy | undefined
  /** Slurm is asked how jobs stand no more often than this. */
  readonly slurmPollSeconds?: number | undefined
}

export function runSettings(
  system: System,
  meter: Meter,
  given: GivenSettings,
  workingDirectory: string,
): RunSettings {
  const { mostDescriptors } = system.host
  if (mostDescriptors < leastDescriptors)
    throw new UserError(
      `only ${mostDescriptors} files may be open (ulimit -n): a workflow needs at least ${leastDescriptors}`,
      'state',
    )
  return {
    ...given,
    capacity: capacityOf(system, meter, given.capacity),
    outputDirectory: given.outputDirectory ?? join(workingDirectory, 'output'),
  }
}

/** What a workflow's own file says of how it is to be run, where nobody says otherwise. */
export function settingsFor(settings: RunSettings, workflow: Workflow): RunSettings {
  const { capacity } = settings
  if (workflow.maxParallelJobs === null || capacity.maxParallelJobs !== Infinity) return settings
  return { ...settings, capacity: { ...capacity, maxParallelJobs: workflow.maxParallelJobs } }
}
