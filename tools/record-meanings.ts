/**
 * What the keys of a record mean, for docs/record.md; what the figures of its usage mean is told by the gauges. The types
 * make a key without a text, and a text without a key, an error of the compiler.
 */
import type { Verdict, VerdictKind } from '../src/analysis/job/bound-by.ts'
import type { AttemptStatus, Straggler } from '../src/model/outcome.ts'
import type { ProfileJson, ResourceUsageJson } from '../src/render/record/profile-json.ts'
import type { RecordJson, RequirementsJson, SamplesJson } from '../src/render/record/record-json.ts'

type Meanings<T> = { readonly [Key in keyof T]: string }

export const recordMeanings: Meanings<RecordJson> = {
  task_id: '32 hexadecimal digits, unique everywhere; commands also accept the start of it',
  tool: "the program: the command's first word without its directory, or `--tool`",
  script: 'the script that the program was given, or `--script`; null if there is none',
  params: 'what `--param` gave; numbers, booleans and other JSON values are kept as such',
  start_time: 'when it started',
  end_time: 'when it ended; null while it runs and if its end was not seen',
  duration_seconds:
    'from start to end of the main process, by a clock that never jumps; with `--stragglers wait`, to the end of the last process',
  status: 'see [statuses](#statuses)',
  returncode:
    'the exit code as a shell reports it, see [exit codes](#exit-codes); null while it runs, for watched processes and if its end was not seen',
  resource_usage: 'the four figures most people want',
  detailed_profile: 'means and extremes; null if the job was not watched (`--no-monitor`)',
  error: 'why it did not succeed, in a few words; null for a success and while it runs',
  has_result: 'true for a success',
  job_id:
    "the ledger's number for the job; null only if `run --format json` could not reach the ledger",
  attempt: '1 for the first attempt at the job',
  name: '`--name`, else the script, else the tool',
  command: 'the command, word by word',
  tags: 'what `--tag` gave; `watched` for what `jobmeter watch` followed',
  working_directory: 'where the command was started; empty for watched processes',
  signal: 'the signal that ended the main process, such as `SIGKILL`; else null',
  reason: 'why it ended that way, if the exit code does not say it all; else null',
  host: 'the name of the machine',
  cores: 'cores that the job could use',
  machine_memory_bytes: 'memory of the machine',
  user: 'who ran it',
  requirements: 'what the job asked for',
  stragglers: 'processes that outlived the main one and were left running',
  usage: 'every figure; null if it was not measured',
  basis: 'for each measured figure of `usage`: how it was obtained',
  unmeasured: 'for each missing figure of `usage`: why it is missing',
  bound_by: 'what held the job back',
  samples: 'how the job was watched',
  gpus: 'the cards of the job, each with its number, vendor, name, id and figures; empty where it had none',
}

export const resourceUsageMeanings: Meanings<ResourceUsageJson> = {
  cpu_user_seconds: 'as `usage.cpu_user_seconds`',
  cpu_system_seconds: 'as `usage.cpu_system_seconds`',
  cpu_total_seconds: 'as `usage.cpu_total_seconds`',
  memory_peak_mb: '`usage.memory_peak_bytes` in MB',
}

type ProfileGroup = 'cpu' | 'memory' | 'process_cpu' | 'process_memory' | 'io_stats'

/** Keys that hold figures of their own are a group; the rest has one text. */
export const profileMeanings: Meanings<Omit<ProfileJson, ProfileGroup>> & {
  readonly [Group in ProfileGroup]: Meanings<ProfileJson[Group]>
} = {
  duration_seconds: 'as `duration_seconds`',
  samples_collected: 'as `samples.collected`',
  sampling_interval_seconds: 'as `samples.interval_seconds`',
  cpu: {
    mean_percent: 'the whole machine: `usage.machine_cpu_percent_mean`',
    max_percent: 'the whole machine: `usage.machine_cpu_percent_max`',
    min_percent: 'the whole machine: `usage.machine_cpu_percent_min`',
  },
  memory: {
    mean_used_mb: 'the whole machine: `usage.machine_memory_mean_bytes` in MB',
    max_used_mb: 'the whole machine: `usage.machine_memory_max_bytes` in MB',
    min_used_mb: 'the whole machine: `usage.machine_memory_min_bytes` in MB',
  },
  process_cpu: {
    mean_percent: 'the job: `usage.cpu_percent_mean`',
    max_percent: 'the job: `usage.cpu_percent_peak`',
  },
  process_memory: {
    mean_mb: 'the job: `usage.memory_mean_bytes` in MB',
    max_mb: 'the job: `usage.memory_peak_bytes` in MB',
    min_mb: 'the job: `usage.memory_min_bytes` in MB',
  },
  io_stats: {
    read_mb: 'the job: `usage.read_bytes` in MB',
    write_mb: 'the job: `usage.write_bytes` in MB',
    read_count: 'the job: `usage.read_calls`',
    write_count: 'the job: `usage.write_calls`',
    total_io_mb: 'the sum of `read_mb` and `write_mb`',
  },
  gpu_stats:
    '`nvidia` and `amd` hold `gpu_utilization_percent`, `memory_utilization_percent` (means over time and cards), `memory_used_mb` (peaks of all cards, added up), `memory_total_mb` and `temperature_celsius` (highest); `intel` holds `render_busy_percent` and `available`; empty where the job had no card',
  container_stats:
    'of a job in a container, as `docker stats` writes it: `cpu_percent`, `memory_usage`, `memory_percent`, `net_io`, `block_io`, as texts; means and peaks of the whole run; else empty',
}

export const requirementMeanings: Meanings<RequirementsJson> = {
  cpus: '`--cpus`',
  memory_bytes: '`--memory`',
  gpus: '`--gpus`',
  runtime_seconds: '`--runtime`',
}

export const stragglerMeanings: Meanings<Straggler> = {
  pid: 'its process id',
  command: 'its command line',
}

export const boundByMeanings: Meanings<Verdict> = {
  kind: 'one of the [verdicts](#verdicts)',
  sentence: 'the same in a sentence, with the evidence',
}

export const samplesMeanings: Meanings<SamplesJson> = {
  collected: 'how many times the job was looked at',
  interval_seconds: '`--interval`; null if the job was not watched',
  late: 'looks that came more than half an interval late',
  own_cpu_seconds: 'CPU time that jobmeter itself used while the job ran',
}

export const verdictMeanings: Readonly<Record<VerdictKind, string>> = {
  cpu: 'it kept busy nearly all the cores that it asked for or could use',
  'one-core': 'it kept about one of several cores busy',
  memory: 'it spent a good part of its time waiting for memory',
  io: 'it spent a good part of its time waiting for storage',
  waiting: 'it hardly computed, and was not seen to wait for storage',
  'out-of-memory':
    'it, or one of its processes, was killed because memory ran out; this verdict comes before all others',
  'cpu-limit': 'the CPU limit of its container stopped it in a good part of the time',
  'cpu-contention': 'it spent a good part of its time waiting for a free core',
  'gpu-tensor': "its GPU's tensor units were in use most of the time",
  'gpu-arithmetic': "its GPU's other arithmetic units were",
  'gpu-memory': "its GPU's memory bandwidth was",
  'gpu-launches':
    'its kernels were too small or too short to give the GPU work: launching them took the time',
  'gpu-data-loading': 'its GPU waited while the job computed on the CPU or waited for storage',
  'gpu-transfers': 'its GPU waited for data over PCIe or NVLink',
  'gpu-power': 'its GPU ran slower to stay within its power limit',
  'gpu-heat': 'its GPU ran slower because it was hot',
  'gpu-shared': 'its card was busy, but did a fifth of its work or more for others',
  'gpu-idle': 'it held a GPU and hardly used it, or never',
  gpu: 'its GPU worked most of the time, and what limited it, or for whom it worked, is not known',
  'too-short': 'it ran for too short a time to tell',
  unknown: 'none of these stands out, or what is needed to tell was not measured',
}

export const statusMeanings: Readonly<Record<AttemptStatus, string>> = {
  success: 'it ended with exit code 0',
  failed: 'it ended with another exit code, by a signal, or out of memory',
  timeout: 'it was ended because it ran longer than `--timeout`',
  error: 'it could not be started',
  interrupted:
    'jobmeter was killed while it ran; the figures are those of the last sample before that',
  cancelled: 'somebody ended it with Ctrl-C or a signal to jobmeter',
  waiting: 'it was handed to Slurm or to a queue and has not begun; `reason` says why',
  running: 'it has not ended yet',
  unknown: 'it was followed by `jobmeter watch`; only its parent learns how it ended',
}

/** What `jobmeter run` exits with and what the record then says. */
export const exitCodes: readonly (readonly [code: string, status: string, says: string])[] = [
  ['0', 'success', 'the command succeeded'],
  ['1 … 255', 'failed, cancelled', "the command's own exit code"],
  ['124', 'timeout', 'it ran longer than `--timeout`'],
  ['126', 'error', 'the command could not be run, for example because it is not a program'],
  ['127', 'error', 'the command was not found'],
  ['128 + N', 'failed, cancelled', 'signal N ended it: 130 Ctrl-C, 137 SIGKILL, 143 SIGTERM'],
  ['1', '–', 'the working directory is gone or no file can be opened; the command was not started'],
  ['2', '–', 'jobmeter was called with wrong options'],
  ['70', '–', 'a bug in jobmeter itself'],
]
