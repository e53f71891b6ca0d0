import type { SQLInputValue } from 'node:sqlite'
import type { ExportQuery, StoredRound, UsageHour } from '../../model/node-export.ts'
import type { Connection } from '../sqlite/connection.ts'
import { number, numberOrNull, scaled, text, textOrNull, type Row } from '../sqlite/row.ts'
import { amountColumns } from './node-schema.ts'

const rowsAtOnce = 1000

const amountsIn = (row: Row) => ({
  cpuSeconds: scaled(row, 'cpu_us', 1e-6),
  readBytes: numberOrNull(row, 'read_bytes'),
  writeBytes: numberOrNull(row, 'write_bytes'),
  gpuSeconds: scaled(row, 'gpu_us', 1e-6),
  joules: scaled(row, 'energy_mj', 1e-3),
})

/** Adds nothing where all are wanted. */
function anyOf(
  column: string,
  wanted: readonly string[],
): { sql: string; values: SQLInputValue[] } {
  if (wanted.length === 0) return { sql: '', values: [] }
  return { sql: ` AND ${column} IN (${wanted.map(() => '?').join(', ')})`, values: [...wanted] }
}

/** Hour by hour, so that a year needs no more memory than an hour. */
export function* usageHours(
  connection: Connection,
  { from, to, users, hosts }: ExportQuery,
): Generator<UsageHour> {
  const [ofUsers, ofHosts] = [anyOf('user.name', users), anyOf('host.name', hosts)]
  const sql = `SELECT at_ms, host.name AS host, user.name AS user, account.name AS account,
      command.name AS command, ${amountColumns.join(', ')}
    FROM usage_hour JOIN host ON host.id = host_id JOIN user ON user.id = user_id
      JOIN account ON account.id = account_id JOIN command ON command.id = command_id
    WHERE at_ms = ?${ofUsers.sql}${ofHosts.sql} ORDER BY host_id, user_id, account_id, command_id`
  const nextHour = 'SELECT min(at_ms) AS at_ms FROM usage_hour WHERE at_ms >= ? AND at_ms < ?'
  const toMs = Math.round(to * 1e3)
  const after = (ms: number): number | null =>
    numberOrNull(connection.row(nextHour, ms, toMs) ?? { at_ms: null }, 'at_ms')
  for (let at = after(Math.round(from * 1e3)); at !== null; at = after(at + 1))
    yield* connection.map(sql, [at, ...ofUsers.values, ...ofHosts.values], usageHourOf)
}

const usageHourOf = (row: Row): UsageHour => ({
  at: number(row, 'at_ms') / 1e3,
  host: text(row, 'host'),
  user: text(row, 'user'),
  account: text(row, 'account') || null,
  command: text(row, 'command'),
  ...amountsIn(row),
  memoryByteSeconds: scaled(row, 'memory_kib_ms', 1.024),
  gpuMemoryByteSeconds: scaled(row, 'gpu_memory_kib_ms', 1.024),
})

/** The rounds that are kept one by one, host by host. */
export function* storedRounds(
  connection: Connection,
  { from, to, hosts }: ExportQuery,
): Generator<StoredRound> {
  const ofHosts = anyOf('host.name', hosts)
  const sql = `SELECT round.*, host.name AS host FROM round JOIN host ON host.id = host_id
    WHERE (host_id, at_ms) > (?, ?) AND at_ms >= ? AND at_ms < ?${ofHosts.sql}
    ORDER BY host_id, at_ms LIMIT ${rowsAtOnce}`
  const times = [Math.round(from * 1e3), Math.round(to * 1e3)]
  let last: readonly [hostId: number, atMs: number] = [0, 0]
  for (;;) {
    const rows = connection.map(sql, [...last, ...times, ...ofHosts.values], (row) => ({
      key: [number(row, 'host_id'), number(row, 'at_ms')] as const,
      round: storedRoundOf(row),
    }))
    yield* rows.map(({ round }) => round)
    if (rows.length < rowsAtOnce) return
    last = rows.at(-1)?.key ?? last
  }
}

const storedRoundOf = (row: Row): StoredRound => ({
  at: number(row, 'at_ms') / 1e3,
  host: text(row, 'host'),
  epoch: textOrNull(row, 'epoch'),
  seconds: number(row, 'span_ms') / 1e3,
  cores: numberOrNull(row, 'cores'),
  ...amountsIn(row),
  memoryBytes: scaled(row, 'memory_peak_kib', 1024),
  memoryTotalBytes: scaled(row, 'memory_total_kib', 1024),
  gpus: numberOrNull(row, 'gpus'),
  gpuMemoryBytes: scaled(row, 'gpu_memory_peak_kib', 1024),
  gpuMemoryTotalBytes: scaled(row, 'gpu_memory_total_kib', 1024),
  load: scaled(row, 'load_milli', 1e-3),
  processes: numberOrNull(row, 'processes_peak'),
  threads: numberOrNull(row, 'threads_peak'),
})
