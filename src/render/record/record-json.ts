import { boundBy, type Verdict } from '../../analysis/job/bound-by.ts'
import type { Requirements } from '../../model/job.ts'
import { errorText, type JobRecord } from '../../model/record.ts'
import type { AttemptStatus, Straggler } from '../../model/outcome.ts'
import { roundKeeping } from '../units/figures.ts'
import { utcTime } from '../units/iso-time.ts'
import {
  profileJson,
  resourceUsageJson,
  type ProfileJson,
  type ResourceUsageJson,
} from './profile-json.ts'
import { cardsJson, type CardJson } from './gpu-json.ts'
import { usageJson, type UsageJson } from './usage-json.ts'

/**
 * A record as JSON: first the keys that scripts for `jobs_history.jsonl` expect, in their order, then
 * our own. Times are UTC with a `Z`; 1 MB is 2^20 bytes; what was not measured is null.
 *
 * @see recordJson
 */
export interface RecordJson extends UsageJson {
  readonly task_id: string
  readonly tool: string
  readonly script: string | null
  readonly params: Readonly<Record<string, unknown>>
  readonly start_time: string | null
  readonly end_time: string | null
  readonly duration_seconds: number | null
  readonly status: AttemptStatus
  readonly returncode: number | null
  readonly resource_usage: ResourceUsageJson
  /** null if the job was not watched while it ran. */
  readonly detailed_profile: ProfileJson | null
  readonly error: string | null
  readonly has_result: boolean

  readonly job_id: number | null
  readonly attempt: number
  readonly name: string
  readonly command: readonly string[]
  readonly tags: readonly string[]
  readonly working_directory: string
  readonly signal: string | null
  readonly reason: string | null
  readonly host: string
  readonly cores: number
  readonly machine_memory_bytes: number | null
  readonly user: string
  readonly requirements: RequirementsJson
  readonly stragglers: readonly Straggler[]
  readonly bound_by: Verdict
  readonly samples: SamplesJson
  readonly gpus: readonly CardJson[]
}

export interface RequirementsJson {
  readonly cpus: number | null
  readonly memory_bytes: number | null
  readonly gpus: number | null
  readonly runtime_seconds: number | null
}

export interface SamplesJson {
  readonly collected: number
  readonly interval_seconds: number | null
  readonly late: number
  readonly own_cpu_seconds: number | null
}

/**
 * Turns a record into JSON, with the keys that `jobmeter export` writes.
 *
 * @example
 * ```ts
 * import { measure, recordJson, type RecordJson } from 'jobmeter'
 *
 * const json: RecordJson = recordJson(await measure(['true'], { name: 'nothing' }))
 * console.log(json.task_id, json.resource_usage.memory_peak_mb)
 * process.stdout.write(`${JSON.stringify(json)}\n`)
 * ```
 */
export function recordJson(record: JobRecord): RecordJson {
  const durationSeconds = roundedSeconds(record.durationSeconds)
  const { requirements, samples, machine } = record
  return {
    task_id: record.taskId,
    tool: record.tool,
    script: record.script,
    params: record.params,
    start_time: record.status === 'waiting' ? null : utcTime(record.startedAt),
    // Older versions took the end by the wall clock, which may have been set back meanwhile.
    end_time: record.endedAt === null ? null : utcTime(Math.max(record.startedAt, record.endedAt)),
    duration_seconds: durationSeconds,
    status: record.status,
    returncode: record.exitCode,
    resource_usage: resourceUsageJson(record.usage),
    detailed_profile: profileJson(record.usage, samples, durationSeconds, machine.memoryBytes),
    error: errorText(record),
    has_result: record.status === 'success',
    job_id: record.jobId,
    attempt: record.attempt,
    name: record.name,
    command: record.command,
    tags: record.tags,
    working_directory: record.workingDirectory,
    signal: record.signal,
    reason: record.reason,
    host: machine.host,
    cores: machine.cores,
    machine_memory_bytes: machine.memoryBytes,
    user: record.user,
    requirements: requirementsJson(requirements),
    stragglers: record.stragglers.map(({ pid, command }) => ({ pid, command })),
    ...usageJson(record.usage),
    bound_by: boundBy(record),
    samples: {
      collected: samples.collected,
      interval_seconds: samples.intervalSeconds,
      late: samples.late,
      own_cpu_seconds: roundedSeconds(samples.ownCpuSeconds),
    },
    gpus: cardsJson(record.usage),
  }
}

export const requirementsJson = (requirements: Requirements): RequirementsJson => ({
  cpus: requirements.cpus,
  memory_bytes: requirements.memoryBytes,
  gpus: requirements.gpus,
  runtime_seconds: requirements.runtimeSeconds,
})

export const roundedSeconds = (seconds: number | null): number | null =>
  seconds === null ? null : roundKeeping(seconds, 6)
