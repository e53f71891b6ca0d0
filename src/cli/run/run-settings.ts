import { resolve } from 'node:path'
import type { GivenSettings } from '../../service/run-settings.ts'
import {
  executorNames,
  slurmWays,
  type ExecutorName,
  type SlurmBy,
} from '../../service/executors/executor-names.ts'
import { UserError } from '../../service/user-error.ts'
import { alertsOption } from '../command/alerts-option.ts'
import type { OptionTable } from '../command/define.ts'

/** What the commands that run workflows have in common. */
export const workflowRunOptions = {
  executor: {
    type: 'choice',
    choices: executorNames,
    says: 'where jobs run: on this machine, by the workers of the team, or as jobs of Slurm (default: where those of the last run did, else on this machine)',
  },
  'slurm-by': {
    type: 'choice',
    choices: slurmWays,
    says: 'with --executor slurm: a Slurm job for each job, arrays of jobs that are alike, or workers that pull jobs in an allocation (default: as in the last run, else workers if the workflow has schedule_nodes actions, else arrays)',
  },
  'slurm-poll': {
    type: 'duration',
    value: 'TIME',
    min: 0.5,
    says: 'with --executor slurm: ask Slurm how jobs stand no more often than this (default: 10 s)',
  },
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
    default: null,
    says: 'fail jobs that do not write the files they declare, and start nothing if an input is missing that none of the jobs left to run writes (default: as the file says)',
  },
  grace: {
    type: 'duration',
    value: 'TIME',
    min: 0,
    says: 'time between asking a job to end and killing it (default: 10 s)',
  },
  ...alertsOption,
  'forget-settings': {
    type: 'boolean',
    says: 'for a workflow that is resumed: forget how it was to be run before, except for what options say now',
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
  readonly 'keep-going': boolean
  readonly 'strict-files': boolean | undefined
  readonly grace: number | undefined
  readonly alerts: string | undefined
  readonly 'slurm-by': SlurmBy | undefined
  readonly 'slurm-poll': number | undefined
}

/** What is said of Slurm is not to be lost on jobs that go elsewhere. */
export function refuseUnusedSlurm(
  executor: ExecutorName,
  options: Pick<GivenOptions, 'slurm-by' | 'slurm-poll'>,
): void {
  const given = (['slurm-by', 'slurm-poll'] as const).find((name) => options[name] !== undefined)
  if (executor === 'slurm' || given === undefined) return
  throw new UserError(
    `--${given} goes with --executor slurm. Add that, or leave --${given} out`,
    'usage',
  )
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
    outputDirectory: output === undefined ? undefined : resolve(output),
    alertFile: options.alerts === undefined ? undefined : resolve(options.alerts),
    failFast: startsNoMore(options),
    strictFiles: options['strict-files'],
    graceSeconds: options.grace,
    slurmBy: options['slurm-by'],
    slurmPollSeconds: options['slurm-poll'],
  }
}

/** Undefined where neither is said. */
function startsNoMore(
  options: Pick<GivenOptions, 'fail-fast' | 'keep-going'>,
): boolean | undefined {
  if (options['fail-fast'] && options['keep-going'])
    throw new UserError('--fail-fast and --keep-going exclude each other. Leave one out', 'usage')
  if (options['fail-fast']) return true
  return options['keep-going'] ? false : undefined
}
