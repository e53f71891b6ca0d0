import { resolve } from 'node:path'
import type { GivenSettings } from '../../service/run-settings.ts'
import type { OptionTable } from '../command/define.ts'

/** What the commands that run workflows have in common. */
export const workflowRunOptions = {
  'max-parallel-jobs': {
    type: 'number',
    value: 'N',
    min: 1,
    whole: true,
    says: 'how many jobs may run at the same time (default: as many as fit)',
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
    says: 'memory the jobs may use together (default: what the machine and its cgroup allow)',
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
    says: 'where logs and samples go (default: output, in the directory of the workflow)',
  },
  'keep-going': { type: 'boolean', says: 'run what does not depend on a failed job (the default)' },
  'fail-fast': { type: 'boolean', says: 'start nothing more once a job has failed' },
  'strict-files': {
    type: 'boolean',
    says: 'fail jobs that do not write the files they declare, and start nothing if an input that no job writes is missing',
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
    says: 'print only errors, and the answer if --format json is given',
  },
} as const satisfies OptionTable

interface GivenOptions {
  readonly 'max-parallel-jobs': number | undefined
  readonly cpus: number | undefined
  readonly memory: number | undefined
  readonly gpus: number | undefined
  readonly 'output-dir': string | undefined
  readonly 'fail-fast': boolean
  readonly 'strict-files': boolean
  readonly grace: number
}

/** What people name they name from where they are. */
export function settingsAsked(options: GivenOptions): GivenSettings {
  const output = options['output-dir']
  return {
    capacity: {
      cpus: options.cpus,
      memoryBytes: options.memory,
      gpus: options.gpus,
      maxParallelJobs: options['max-parallel-jobs'],
    },
    // Whole: a job may change its directory, and `jobmeter logs` be used in another.
    ...(output === undefined ? {} : { outputDirectory: resolve(output) }),
    failFast: options['fail-fast'],
    strictFiles: options['strict-files'],
    graceSeconds: options.grace,
  }
}
