import type { Job, Requirements } from '../../../model/job.ts'
import { attemptStatuses, type AttemptStatus, type Straggler } from '../../../model/outcome.ts'
import type { JobRecord } from '../../../model/record.ts'
import { emptyUsage } from '../../../model/usage.ts'
import type { AttemptStart } from '../store.ts'
import { MalformedRow } from '../../errors.ts'
import type { Dialect } from '../dialect.ts'
import { ownerColumns, ownerNames, ownerOf } from './owner-row.ts'
import {
  amountOrNull,
  countIn,
  exitCodeOrNull,
  instant,
  instantOrNull,
  list,
  number,
  object,
  text,
  textOrNull,
  type Row,
} from '../../sqlite/row.ts'
import { parseUsage } from './usage-text.ts'
import type { RowValues } from '../../sqlite/write-row.ts'
import { isText } from '../../valid.ts'

/** The columns of a new row in `job`. */
export function jobColumns(job: Job): RowValues {
  return {
    name: job.name,
    tool: job.tool,
    script: job.script,
    params: JSON.stringify(job.params),
    tags: JSON.stringify(job.tags),
    command: JSON.stringify(job.command),
    working_directory: job.workingDirectory,
    cpus: job.requirements.cpus,
    memory_bytes: job.requirements.memoryBytes,
    gpus: job.requirements.gpus,
    runtime_seconds: job.requirements.runtimeSeconds,
  }
}

/** Which attempt of which run; a single command has one attempt and no run. */
export interface AttemptPlace {
  readonly jobId: number
  readonly attempt: number
  readonly runId: number | null
}

/** The columns of a new row in `attempt`; `waits` says for what it does, where it was handed elsewhere and has not begun. */
export function attemptColumns(
  start: AttemptStart,
  place: AttemptPlace,
  waits: string | null = null,
): RowValues {
  return {
    task_id: start.taskId,
    job_id: place.jobId,
    run_id: place.runId,
    number: place.attempt,
    status: 'running',
    reason: waits,
    started_at: start.startedAt,
    user: start.user,
    host: start.machine.host,
    cores: start.machine.cores,
    machine_memory_bytes: start.machine.memoryBytes,
    ...ownerColumns(start.owner),
    sample_interval_seconds: start.intervalSeconds,
  }
}

/** What `recordInRow` reads of an attempt joined with its job, and where that stands in lists. */
export const wholeRecord = ({ storedUsage }: Dialect): string => `
  job.name, job.tool, job.script, job.params, job.tags, job.command, job.working_directory,
  job.cpus, job.memory_bytes, job.gpus, job.runtime_seconds,
  attempt.id, attempt.task_id, attempt.job_id, attempt.run_id, attempt.number, attempt.status,
  attempt.started_at, attempt.ended_at, attempt.duration_seconds, attempt.exit_code, attempt.signal, attempt.reason,
  attempt.stragglers, attempt.user, attempt.host, attempt.cores, attempt.machine_memory_bytes,
  attempt.sample_interval_seconds, attempt.samples_collected, attempt.samples_late, attempt.own_cpu_seconds,
  ${ownerNames.map((name) => `attempt.${name}`).join(', ')}, ${storedUsage} AS usage`

/** A record, of a row of `attempt` joined with its job. */
export function recordInRow(row: Row): JobRecord {
  const usage = textOrNull(row, 'usage')
  return {
    ...jobOf(row),
    taskId: text(row, 'task_id'),
    jobId: number(row, 'job_id'),
    attempt: number(row, 'number'),
    user: text(row, 'user'),
    machine: {
      host: text(row, 'host'),
      cores: countIn(row, 'cores'),
      memoryBytes: amountOrNull(row, 'machine_memory_bytes'),
    },
    owner: ownerOf(row),
    startedAt: instant(row, 'started_at'),
    endedAt: instantOrNull(row, 'ended_at'),
    durationSeconds: amountOrNull(row, 'duration_seconds'),
    status: statusOf(row),
    exitCode: exitCodeOrNull(row, 'exit_code'),
    signal: textOrNull(row, 'signal'),
    reason: textOrNull(row, 'reason'),
    stragglers: list(row, 'stragglers', isStraggler),
    usage: usage === null ? emptyUsage('the job has not ended yet') : parseUsage(usage),
    samples: {
      collected: countIn(row, 'samples_collected'),
      intervalSeconds: amountOrNull(row, 'sample_interval_seconds'),
      late: countIn(row, 'samples_late'),
      ownCpuSeconds: amountOrNull(row, 'own_cpu_seconds'),
    },
  }
}

function jobOf(row: Row): Job {
  return {
    name: text(row, 'name'),
    tool: text(row, 'tool'),
    script: textOrNull(row, 'script'),
    params: object(row, 'params'),
    tags: list(row, 'tags', isText),
    command: list(row, 'command', isText),
    workingDirectory: text(row, 'working_directory'),
    requirements: requirementsOf(row),
  }
}

export const requirementsOf = (row: Row): Requirements => ({
  cpus: amountOrNull(row, 'cpus'),
  memoryBytes: amountOrNull(row, 'memory_bytes'),
  gpus: amountOrNull(row, 'gpus'),
  runtimeSeconds: amountOrNull(row, 'runtime_seconds'),
})

/**
 * How an attempt stands. In its row an open one is called `running`, for whoever comes after a runner that died; one that
 * still waits has a reason, and no other open one has.
 */
export function statusOf(row: Row): AttemptStatus {
  const stored = text(row, 'status')
  const known = attemptStatuses.find((status) => status === stored)
  if (known === undefined) throw new MalformedRow(`no status is called ${stored}`)
  return known === 'running' && typeof row['reason'] === 'string' ? 'waiting' : known
}

function isStraggler(entry: unknown): entry is Straggler {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'pid' in entry &&
    typeof entry.pid === 'number' &&
    'command' in entry &&
    typeof entry.command === 'string'
  )
}
