import { amounts, capacities, deviceFigures, peaks, roundFigures } from '../steps/node-columns-1.ts'
import type { ColumnType, Shape } from '../write/copy-rows.ts'

/** A table that rows of agents are merged into, and what tells its rows apart. */
export interface NodeTable {
  readonly name: string
  readonly keys: readonly string[]
  readonly shape: Shape
}

const all = (type: ColumnType, names: readonly string[]): Shape =>
  Object.fromEntries(names.map((name) => [name, type]))
const bigints = (...names: readonly string[]): Shape => all('bigint', names)
const texts = (...names: readonly string[]): Shape => all('text', names)

const used = [...amounts, ...peaks]

const ofJob = (name: string): NodeTable => ({
  name,
  keys: ['job_id', 'at_ms'],
  shape: bigints('job_id', 'at_ms', 'host_id', 'span_ms', ...used),
})
const ofNode = (name: string): NodeTable => ({
  name,
  keys: ['host_id', 'at_ms'],
  shape: bigints('at_ms', 'host_id', 'span_ms', ...capacities, ...used),
})
const ofDevice = (name: string, keys: readonly string[] = ['device_id', 'at_ms']): NodeTable => ({
  name,
  keys,
  shape: bigints('device_id', 'at_ms', 'host_id', 'span_ms', ...deviceFigures),
})

/** By the names that the tables have in the database of an agent. */
export const nodeTables = {
  round: {
    name: 'node_round',
    keys: ['host_id', 'at_ms'],
    shape: {
      ...bigints('host_id', 'at_ms', 'number', 'span_ms', 'lost_records', ...roundFigures, ...used),
      ...texts('epoch', 'core_us'),
    },
  },
  job: {
    name: 'node_job',
    keys: ['id'],
    shape: {
      ...bigints('id', 'host_id', 'user_id', 'account_id', 'command_id', 'pid', 'started_ms'),
      ...bigints('first_ms', 'last_ms', 'span_ms', 'gpus', 'asked_memory_kib', 'restarts', ...used),
      ...texts('epoch', 'kind', 'key', 'asked_by', 'name', 'shown_id'),
      ...all('double precision', ['asked_cpus', 'asked_gpus', 'asked_seconds']),
    },
  },
  job_raw: ofJob('node_job_raw'),
  job_5m: ofJob('node_job_5m'),
  job_hour: ofJob('node_job_hour'),
  node_5m: ofNode('node_5m'),
  node_hour: ofNode('node_hour'),
  usage_hour: {
    name: 'node_usage_hour',
    keys: ['at_ms', 'host_id', 'user_id', 'account_id', 'command_id'],
    shape: bigints('at_ms', 'host_id', 'user_id', 'account_id', 'command_id', ...amounts),
  },
  violation: {
    name: 'node_violation',
    keys: ['id'],
    shape: {
      ...bigints('id', 'host_id', 'user_id', 'account_id', 'first_ms', 'last_ms', 'held_ms'),
      ...bigints('reported_ms', 'resolved_ms', 'resolution_told_ms'),
      ...texts('policy', 'severity', 'subject', 'epoch', 'kind', 'key', 'command', 'text'),
      ...texts('spared', 'resolved_because'),
    },
  },
  policy_state: {
    name: 'node_policy_state',
    keys: ['host_id', 'policy'],
    shape: {
      ...bigints('host_id', 'judged_ms'),
      ...texts('policy', 'unmeasured', 'judged_by'),
    },
  },
  device: {
    name: 'node_device',
    keys: ['id'],
    shape: { ...bigints('id', 'host_id'), ...texts('kind', 'name') },
  },
  device_latest: ofDevice('node_device_latest', ['device_id']),
  device_5m: ofDevice('node_device_5m'),
  device_hour: ofDevice('node_device_hour'),
} as const satisfies Readonly<Record<string, NodeTable>>

export type NodeTableName = keyof typeof nodeTables
