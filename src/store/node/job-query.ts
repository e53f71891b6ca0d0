import type { SQLInputValue } from 'node:sqlite'
import type { JobKind } from '../../model/node-round.ts'
import type { NodeDialect } from './dialect.ts'

/** What jobs may be sorted by. */
export const jobOrders = ['seen', 'cpu', 'cores', 'memory', 'gpu', 'io', 'runtime', 'user'] as const
export type JobOrder = (typeof jobOrders)[number]

/** Which jobs are asked for; lists are met by any of their entries. */
export interface JobQuery {
  readonly users?: readonly string[]
  readonly hosts?: readonly string[]
  readonly accounts?: readonly string[]
  /** Any part of the command. */
  readonly commands?: readonly string[]
  readonly kinds?: readonly JobKind[]
  readonly pid?: number
  readonly id?: string
  /** What its id begins with. */
  readonly idStart?: string
  readonly rowId?: number
  /** Seen at any moment between these, in seconds since 1970. */
  readonly from?: number
  readonly to?: number
  readonly minRuntimeSeconds?: number
  readonly state?: 'running' | 'completed'
  readonly limit?: number
  /** Without it, those that were seen last first. */
  readonly order?: JobOrder
}

export interface Conditions {
  readonly conditions: readonly string[]
  readonly values: readonly SQLInputValue[]
}

/** When it began is better known than when it was first seen. */
const runtimeMs = ({ least }: NodeDialect): string =>
  `(job.last_ms - ${least('job.first_ms', 'coalesce(job.started_ms, job.first_ms)')})`

/** What was not measured comes last. */
const most = (column: string): string => `${column} DESC NULLS LAST`

const orders: Readonly<Record<JobOrder, (dialect: NodeDialect) => string>> = {
  seen: () => `job.last_ms DESC, ${most('job.cpu_us')}`,
  cpu: () => most('job.cpu_us'),
  cores: ({ greatest }) =>
    most(`CAST(job.cpu_us AS DOUBLE PRECISION) / ${greatest('job.span_ms', '1')}`),
  memory: () => most('job.memory_peak_kib'),
  gpu: () => most('job.gpu_us'),
  io: () => most('coalesce(job.read_bytes, 0) + coalesce(job.write_bytes, 0)'),
  runtime: (dialect) => most(runtimeMs(dialect)),
  user: () => `"user".name, ${most('job.cpu_us')}`,
}

export const jobOrder = (dialect: NodeDialect, { order = 'seen' }: JobQuery): string =>
  `${orders[order](dialect)}, job.id`

export function jobConditions(dialect: NodeDialect, query: JobQuery): Conditions {
  const conditions: string[] = []
  const values: SQLInputValue[] = []
  const add = (condition: string, ...more: SQLInputValue[]): void => {
    conditions.push(condition)
    values.push(...more)
  }
  const anyOf = (column: string, wanted: readonly string[] | undefined): void => {
    if (wanted === undefined || wanted.length === 0) return
    add(`${column} IN (${wanted.map(() => '?').join(', ')})`, ...wanted)
  }
  anyOf('"user".name', query.users)
  anyOf('host.name', query.hosts)
  anyOf('account.name', query.accounts)
  anyOf('job.kind', query.kinds)
  const { commands = [], pid, id, from, to, minRuntimeSeconds, state } = query
  if (commands.length > 0)
    add(hasAnyPart(dialect, 'command.name', commands), ...partValues(commands))
  if (pid !== undefined) add('job.pid = ?', pid)
  if (id !== undefined) add('job.key = ?', id)
  if (query.idStart !== undefined)
    add(`substr(job.key, 1, ${Array.from(query.idStart).length}) = ?`, query.idStart)
  if (query.rowId !== undefined) add('job.id = ?', query.rowId)
  if (from !== undefined) add('job.last_ms >= ?', Math.round(from * 1e3))
  if (to !== undefined) add('job.first_ms < ?', Math.round(to * 1e3))
  if (minRuntimeSeconds !== undefined)
    add(`${runtimeMs(dialect)} >= ?`, Math.round(minRuntimeSeconds * 1e3))
  const lastRound = dialect.latestRoundMs('job.host_id')
  if (state === 'running') add(`job.last_ms = ${lastRound}`)
  if (state === 'completed') add(`job.last_ms IS DISTINCT FROM ${lastRound}`)
  return { conditions, values }
}

/** Whether a name has any of these in it, in capitals or not; its values are `partValues`. */
export const hasAnyPart = (
  { contains }: NodeDialect,
  column: string,
  parts: readonly string[],
): string => `(${parts.map(() => contains(`lower(${column})`, '?')).join(' OR ')})`

export const partValues = (parts: readonly string[]): string[] =>
  parts.map((part) => part.toLowerCase())
