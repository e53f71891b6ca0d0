import { join, resolve } from 'node:path'
import { readAllowance } from '../../launch/allowance.ts'
import type { VisibleGpus } from '../../launch/visible-gpus.ts'
import type { Meter } from '../../meter/meter.ts'
import { count } from '../../render/record/job-facts.ts'
import type { Machine } from '../../model/machine.ts'
import type { Workflow } from '../../model/workflow.ts'
import type { System } from '../../system/system.ts'
import type { Capacity } from '../../workflow/run/capacity.ts'
import type { RunSettings } from '../../workflow/run/runner-tools.ts'
import type { OptionTable } from '../command/define.ts'
import { UserError } from '../terminal/user-error.ts'

/** What the commands that run workflows have in common. */
export const workflowRunOptions = {
  'max-parallel-jobs': {
    type: 'number',
    value: 'N',
    min: 1,
    whole: true,
    says: 'how many jobs may run at once (default: as many as fit)',
  },
  cpus: {
    type: 'number',
    value: 'N',
    min: 0.001,
    says: 'CPUs the jobs may use together (default: all this process may use)',
  },
  memory: {
    type: 'bytes',
    value: 'SIZE',
    min: 1,
    says: 'memory the jobs may use together (default: what machine and cgroup allow)',
  },
  gpus: {
    type: 'number',
    value: 'N',
    min: 0,
    max: 1024,
    whole: true,
    says: 'GPUs the jobs may use together (default: all that are visible)',
  },
  'output-dir': {
    type: 'string',
    value: 'DIR',
    says: 'where logs and samples go; without it, output in the folder of the workflow',
  },
  'keep-going': { type: 'boolean', says: 'run what does not depend on a failed job (the default)' },
  'fail-fast': { type: 'boolean', says: 'start nothing more once a job has failed' },
  'strict-files': {
    type: 'boolean',
    says: 'fail jobs that do not write what they declare, and start nothing if an input is missing that no job writes',
  },
  grace: {
    type: 'duration',
    value: 'TIME',
    default: 10,
    min: 0,
    says: 'time between asking a job to end and killing it',
  },
  quiet: {
    type: 'boolean',
    short: 'q',
    says: 'print nothing but errors, and the answer where --format json asks for one',
  },
} as const satisfies OptionTable

interface GivenCapacity {
  readonly 'max-parallel-jobs'?: number | undefined
  readonly cpus?: number | undefined
  readonly memory?: number | undefined
  readonly gpus?: number | undefined
}

interface GivenOptions extends GivenCapacity {
  readonly 'output-dir': string | undefined
  readonly 'fail-fast': boolean
  readonly 'strict-files': boolean
  readonly grace: number
}

/** What jobs may use: all that this process may, or what the user says. */
export function capacityOf(system: System, meter: Meter, options: GivenCapacity): Capacity {
  const allowed = readAllowance(system, meter.machineMemoryBytes())
  const node = {
    machine: machineOf(system, meter),
    cpus: options.cpus ?? allowed.cpus,
    memoryBytes: options.memory ?? allowed.memoryBytes,
    gpus: chosenGpus(allowed.gpus, options.gpus),
  }
  return { nodes: [node], maxParallelJobs: options['max-parallel-jobs'] ?? Infinity }
}

/** This one. */
export function machineOf({ host }: System, meter: Meter): Machine {
  return { host: host.name, cores: host.cores, memoryBytes: meter.machineMemoryBytes() }
}

/** What people name they name from where they are; what they leave out is in the workflow's own folder. */
export function runSettings(
  system: System,
  meter: Meter,
  options: GivenOptions,
  workingDirectory: string,
): RunSettings {
  return {
    capacity: capacityOf(system, meter, options),
    // Whole: a job may change its directory, and `jobmeter logs` be used in another.
    outputDirectory: resolve(options['output-dir'] ?? join(workingDirectory, 'output')),
    failFast: options['fail-fast'],
    strictFiles: options['strict-files'],
    graceSeconds: options.grace,
  }
}

/** More than were found may be asked for, for there is not always a way to find them; but not more than we are told of. */
function chosenGpus({ names, toldBy }: VisibleGpus, wanted: number | undefined): readonly string[] {
  if (wanted === undefined) return names
  if (toldBy !== null && wanted > names.length)
    throw new UserError(`--gpus ${wanted}: ${toldBy} leaves ${count(names.length, 'GPU')}`, 2)
  return Array.from({ length: wanted }, (_, index) => names[index] ?? String(index))
}

/** What a workflow's own file says of how it is to be run, where the command line says nothing. */
export function settingsFor(settings: RunSettings, workflow: Workflow): RunSettings {
  const { capacity } = settings
  if (workflow.maxParallelJobs === null || capacity.maxParallelJobs !== Infinity) return settings
  return { ...settings, capacity: { ...capacity, maxParallelJobs: workflow.maxParallelJobs } }
}
