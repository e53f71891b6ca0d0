import type { PolicyScope } from '../../model/policy.ts'

export type FigureUnit = 'share' | 'cores' | 'bytes' | 'bytes/s' | 'seconds' | 'hours' | 'count'

export interface FigureInfo {
  readonly unit: FigureUnit
  readonly says: string
  readonly scopes: readonly PolicyScope[]
  /** Where it is not measured, why. */
  readonly without: string
}

const now = ['job', 'user'] as const
const life = ['job'] as const
const past = ['history'] as const
const asked = ['job', 'user', 'history'] as const

const noGpu = 'no GPU figures on this node'
const noRequest = 'what was asked for is not known'
const noMemory = 'memory was not measured'

const figure = (
  unit: FigureUnit,
  scopes: readonly PolicyScope[],
  says: string,
  without = '',
): FigureInfo => ({ unit, scopes, says, without })

/** All figures that policies can speak of. Shares are from 0 to 1 and more. */
export const policyFigures = {
  cpu_cores: figure('cores', now, 'cores that are busy for it'),
  cpu_of_node: figure('share', now, 'the same, of the cores of the node'),
  cpu_of_request: figure('share', asked, 'CPU used, of what was asked for', noRequest),
  memory_bytes: figure('bytes', now, 'memory that it holds', noMemory),
  memory_of_node: figure('share', now, 'the same, of the memory of the node', noMemory),
  memory_of_request: figure('share', asked, 'peak memory, of what was asked for', noRequest),
  gpus_held: figure('count', now, 'GPUs that it has processes on, or that were given to it', noGpu),
  gpus_held_of_node: figure('share', now, 'the same, of the GPUs of the node', noGpu),
  gpu_of_held: figure('share', now, 'how busy these are for it', noGpu),
  gpu_memory_of_held: figure('share', now, 'how full their memory is with it', noGpu),
  gpu_of_node: figure('share', now, 'GPU use, of all GPUs of the node', noGpu),
  largest_share: figure('share', now, 'the largest of its shares of cores, memory and GPUs'),
  processes: figure('count', now, 'processes'),
  threads: figure('count', now, 'threads'),
  zombies: figure('count', now, 'dead processes that nobody has waited for'),
  short_processes_per_minute: figure(
    'count',
    now,
    'processes that began and ended between two looks',
    'only root learns which processes end',
  ),
  short_cpu_of_node: figure(
    'share',
    now,
    'CPU of these, of the cores of the node',
    'only root learns which processes end',
  ),
  read_bytes_per_second: figure(
    'bytes/s',
    now,
    'bytes from storage',
    'only root can see the I/O of others',
  ),
  write_bytes_per_second: figure(
    'bytes/s',
    now,
    'bytes to storage',
    'only root can see the I/O of others',
  ),
  asked_cpus: figure('cores', now, 'cores that were asked for', noRequest),
  asked_cpus_of_node: figure('share', now, 'the same, of the node', noRequest),
  asked_memory_bytes: figure('bytes', now, 'memory that was asked for', noRequest),
  asked_gpus: figure('count', now, 'GPUs that were asked for', noRequest),
  largest_request_of_node: figure(
    'share',
    now,
    'the largest share of the node that was asked for: of cores, memory or GPUs',
    noRequest,
  ),
  largest_use_of_request: figure(
    'share',
    now,
    'the largest part used of anything that was asked for',
    noRequest,
  ),
  asked_cpus_per_gpu: figure('cores', life, 'cores asked for, for each GPU', noRequest),
  asked_memory_of_fair: figure(
    'share',
    asked,
    'memory asked for, of the part of the node that goes with the cores asked for',
    noRequest,
  ),
  runtime_seconds: figure('seconds', life, 'since it began'),
  cpu_peak_of_node: figure('share', life, 'its busiest round, of the cores of the node'),
  cpu_mean_cores: figure('cores', life, 'mean cores since it began'),
  memory_peak_bytes: figure('bytes', life, 'most memory that it ever held', noMemory),
  gpu_seconds_used: figure('seconds', life, 'time of GPUs that it used since it began', noGpu),
  gpu_mean_of_held: figure('share', life, 'mean use of the GPUs that it holds', noGpu),
  gpu_peak_of_held: figure('share', life, 'its busiest round on the GPUs that it holds', noGpu),
  gpu_memory_peak_bytes: figure('bytes', life, 'most GPU memory that it ever held', noGpu),
  gpu_memory_peak_of_held: figure('share', life, 'the same, of its GPUs', noGpu),
  memory_peak_per_gpu_bytes: figure('bytes', life, 'most memory for each GPU that it holds', noGpu),
  largest_peak_share: figure('share', life, 'its largest peak share of cores, memory and GPUs'),
  node_cores: figure('count', now, 'cores of the node'),
  node_gpus: figure('count', now, 'GPUs of the node'),
  node_load_of_cores: figure('share', now, 'load of the node, for each core', 'no load is known'),
  others_cpu_of_node: figure('share', now, 'CPU of all others, of the cores of the node'),
  jobs: figure('count', ['user', 'history'], 'jobs'),
  runtime_hours: figure('hours', past, 'time that its jobs took together'),
  gpu_hours: figure('hours', past, 'hours of GPUs that were busy', noGpu),
  asked_gpu_hours: figure('hours', past, 'hours of GPUs that were asked for', noRequest),
  asked_cpu_hours: figure('hours', past, 'hours of cores that were asked for', noRequest),
  gpu_of_request: figure('share', past, 'GPU use, of what was asked for', noRequest),
  memory_of_request_mean: figure('share', past, 'the mean over the jobs', noRequest),
  memory_of_request_median: figure('share', past, 'the median over the jobs', noRequest),
  time_of_request: figure(
    'share',
    past,
    'time that jobs took that are over, of what was asked for',
    noRequest,
  ),
  time_of_request_mean: figure('share', past, 'the mean over the jobs', noRequest),
  time_of_request_median: figure('share', past, 'the median over the jobs', noRequest),
} as const satisfies Readonly<Record<string, FigureInfo>>

export type FigureName = keyof typeof policyFigures
/** Null is "not measured". */
export type Figures = Partial<Record<FigureName, number | null>>

export const isFigureName = (name: string): name is FigureName => Object.hasOwn(policyFigures, name)

export const figuresOf = (scope: PolicyScope): FigureName[] =>
  (Object.keys(policyFigures) as FigureName[]).filter((name) =>
    policyFigures[name].scopes.includes(scope),
  )
