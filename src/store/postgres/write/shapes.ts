import { ownerNames } from '../../ledger/records/owner-row.ts'
import type { ColumnType, Shape } from './copy-rows.ts'

const texts = (...names: readonly string[]): Shape => shapeOf(names, 'text')
const doubles = (...names: readonly string[]): Shape => shapeOf(names, 'double precision')
const integers = (...names: readonly string[]): Shape => shapeOf(names, 'integer')
const bigints = (...names: readonly string[]): Shape => shapeOf(names, 'bigint')

function shapeOf(names: readonly string[], type: ColumnType): Shape {
  return Object.fromEntries(names.map((name) => [name, type]))
}

const ownerTypes: Partial<Record<string, ColumnType>> = {
  owner_pid: 'integer',
  owner_start_ticks: 'bigint',
  owner_sign_is_locked: 'integer',
}

const owner: Shape = Object.fromEntries(
  ownerNames.map((name) => [name, ownerTypes[name] ?? 'text']),
)

/** What a local ledger says of a job; in `attempt` with `job_` before it. */
const jobFacts: Shape = {
  ...texts('name', 'tool', 'script', 'params', 'tags', 'command', 'working_directory'),
  ...doubles('cpus', 'memory_bytes', 'gpus', 'runtime_seconds'),
}

/** Columns of `attempt` that come from the local ledger. */
export const attemptShape: Shape = {
  ...integers('run_id', 'number', 'exit_code', 'cores', 'samples_collected', 'samples_late'),
  ...texts('task_id', 'status', 'signal', 'reason', 'stragglers', 'lower_bounds', 'usage', 'marks'),
  ...texts('user', 'host'),
  ...doubles('started_at', 'ended_at', 'duration_seconds'),
  ...doubles('cpu_user_seconds', 'cpu_system_seconds', 'cpu_seconds'),
  ...doubles('cpu_percent_mean', 'cpu_percent_peak', 'memory_peak_bytes', 'memory_mean_bytes'),
  ...doubles('read_bytes', 'write_bytes', 'machine_memory_bytes'),
  ...doubles('sample_interval_seconds', 'own_cpu_seconds'),
  ...bigints('form_id'),
  ...owner,
  ...Object.fromEntries(Object.entries(jobFacts).map(([name, type]) => [`job_${name}`, type])),
}

/** Where an attempt belongs, in the numbers of the local ledger. */
export const placeShape: Shape = bigints('source_job_id', 'source_workflow_id')

export const chunkShape: Shape = {
  ...texts('task_id', 'user', 'part'),
  ...bigints('source_id'),
  ...doubles('started_at', 'from_seconds', 'to_seconds'),
  ...integers('first_row', 'row_count'),
  packed: 'bytea',
}

export const jobShape: Shape = {
  ...bigints('source_job_id'),
  ...integers('position', 'attempt_count'),
  ...texts('state', 'shell_command', 'definition'),
  ...jobFacts,
}

export const workflowShape: Shape = {
  ...bigints('source_workflow_id'),
  ...texts('name', 'user', 'spec_path', 'spec_text', 'definition', 'sent_mark'),
  ...doubles('created_at'),
  ...owner,
}

export const runShape: Shape = {
  ...integers('run_id'),
  ...doubles('started_at', 'ended_at'),
  ...texts('host', 'output_directory', 'working_directory'),
}

export const nameListShape: Shape = { ...bigints('id'), ...texts('names') }

export const benchmarkShape: Shape = {
  ...bigints('source_benchmark_id'),
  ...texts('user', 'name', 'definition', 'sent_mark'),
  ...doubles('started_at', 'ended_at'),
}

export const benchmarkRunShape: Shape = {
  ...integers('position', 'run_number', 'is_warm_up'),
  ...texts('task_id', 'cell'),
}
