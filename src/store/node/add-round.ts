import type { NodeJob, NodeRound } from '../../model/node-round.ts'
import type { ImportedUse } from '../../model/imported-round.ts'
import type { Connection } from '../sqlite/connection.ts'
import { number } from '../sqlite/row.ts'
import { bucketOf, fiveMinutesMs, hourMs, type Place } from './buckets.ts'
import { DeviceRows } from './device-rows.ts'
import { addUserWords, JobRows, type JobRow } from './job-rows.ts'
import type { Names } from './names.ts'
import { amountColumns, peakColumns } from './node-schema.ts'
import { addAmounts, amountsOf, peaksOf, type AmountValues } from './round-values.ts'
import { UnaccountedUse, type UsageKeys } from './unaccounted-use.ts'
import { upsertSql } from './upsert.ts'

const roundColumns = [
  'host_id',
  'at_ms',
  'number',
  'epoch',
  'span_ms',
  'lost_records',
  'cores',
  'memory_total_kib',
  'gpus',
  'gpu_memory_total_kib',
  'load_milli',
  'swap_kib',
  'io_wait_us',
  'net_received_bytes',
  'net_sent_bytes',
  'core_us',
  ...amountColumns,
  ...peakColumns,
]
const insertRound = `INSERT INTO round (${roundColumns.join(', ')})
  VALUES (${roundColumns.map(() => '?').join(', ')})`
/** Where an agent looked at the same moment, that stands. */
export const insertImportedRound = `${insertRound} ON CONFLICT (host_id, at_ms) DO NOTHING`

const capacities = [
  'span_ms',
  'core_ms',
  'memory_total_kib_ms',
  'gpu_ms',
  'gpu_memory_total_kib_ms',
]
const nodeUpsert = (table: string): string =>
  upsertSql({
    table,
    keys: ['at_ms', 'host_id'],
    sums: capacities,
    hasPeaks: true,
    isUntold: (row) => `${row}.gpu_ms > 0`,
  })
export const addToNode = {
  [fiveMinutesMs]: nodeUpsert('node_5m'),
  [hourMs]: nodeUpsert('node_hour'),
}

const usageKeys = ['at_ms', 'host_id', 'user_id', 'account_id', 'command_id']
export const addToUsage = upsertSql({
  table: 'usage_hour',
  keys: usageKeys,
  sums: [],
  hasPeaks: false,
})
/** The same over all hosts and commands: most questions need no more, and it has a tenth of the rows. */
const userKeys = ['at_ms', 'user_id', 'account_id']
export const addToUsers = upsertSql({
  table: 'usage_user_hour',
  keys: userKeys,
  sums: [],
  hasPeaks: false,
})

/** Puts rounds into the database: whole, with all roll-ups, or not at all. */
export class RoundWriter {
  readonly #connection: Connection
  readonly #names: Names
  readonly #jobs: JobRows
  readonly #devices: DeviceRows
  readonly #unaccounted = new UnaccountedUse()
  #timesUndone = 0

  constructor(connection: Connection, names: Names) {
    this.#connection = connection
    this.#names = names
    this.#jobs = new JobRows(connection, names)
    this.#devices = new DeviceRows(connection)
  }

  /** The number of the round. A second round of the same moment is refused. */
  add(round: NodeRound): number {
    return this.#connection.transaction(() => {
      const hostId = this.#names.idOf('host', round.host)
      const place = { hostId, atMs: Math.round(round.at * 1e3), spanMs: spanOf(round) }
      const given = this.#addNode(round, place)
      const usage = new Map<string, Usage>()
      for (const job of round.jobs) {
        const amounts = amountsOf(job, round.seconds)
        const row = this.#jobs.rowOf(job, round.epoch, place)
        this.#jobs.add(row.id, amounts, peaksOf(job, round.seconds), place)
        gather(usage, row.keys, amounts)
        this.#account(job, row, amounts, place)
      }
      this.#addUsage(usage.values(), place)
      this.#devices.add(round, place)
      for (const word of round.late ?? []) {
        const told = this.#jobs.tellLate(word, round.epoch, hostId)
        if (told !== undefined) this.#moveEarlier(told.id, told.accountId, hostId)
      }
      return given
    })
  }

  /** Rows that it remembers may have been deleted. */
  forget(): void {
    this.#names.forget()
    this.#jobs.forget()
    this.#devices.forget()
  }

  /** A scheduler tells the account of a job only after the first round of it: what went before is then put there too. */
  #account(job: NodeJob, { id, keys }: JobRow, amounts: AmountValues, place: Place): void {
    if (job.kind !== 'slurm') return
    if (this.#timesUndone !== this.#connection.timesUndone) this.#unaccounted.forget()
    this.#timesUndone = this.#connection.timesUndone
    if (job.account === null)
      this.#unaccounted.note(id, bucketOf(place.atMs, hourMs), keys, amounts)
    else this.#moveEarlier(id, keys[1], place.hostId)
  }

  #moveEarlier(jobId: number, accountId: number, hostId: number): void {
    for (const { hour, keys, amounts } of this.#unaccounted.take(jobId)) {
      const [user, , command] = keys
      this.#addHour(hour, hostId, { keys, amounts: negative(amounts) })
      const moved = [user, accountId, command] as const
      addUserWords(this.#connection, moved)
      this.#addHour(hour, hostId, { keys: moved, amounts })
      this.#connection.run(
        `DELETE FROM usage_hour WHERE at_ms = ? AND host_id = ? AND user_id = ? AND account_id = ?
          AND command_id = ? AND ${isNothing}`,
        hour,
        hostId,
        ...keys,
      )
      this.#connection.run(
        `DELETE FROM usage_user_hour WHERE at_ms = ? AND user_id = ? AND account_id = ?
          AND ${isNothing}`,
        hour,
        user,
        keys[1],
      )
    }
  }

  #addUsage(usage: Iterable<Usage>, { hostId, atMs }: Place): void {
    const hour = bucketOf(atMs, hourMs)
    for (const one of usage) this.#addHour(hour, hostId, one)
  }

  #addHour(hour: number, hostId: number, { keys, amounts }: Usage): void {
    const [user, account] = keys
    const values = Object.values(amounts)
    this.#connection.prepare(addToUsage).run(hour, hostId, ...keys, ...values)
    this.#connection.prepare(addToUsers).run(hour, user, account, ...values)
  }

  #addNode(round: NodeRound, place: Place): number {
    const { hostId, atMs, spanMs } = place
    const last = `SELECT coalesce(max(number), 0) + 1 AS number FROM round WHERE host_id = ?`
    const given = number(this.#connection.row(last, hostId) ?? {}, 'number')
    const { node } = round
    const amounts = Object.values(amountsOf(node, round.seconds))
    const peaks = Object.values(peaksOf(node, round.seconds))
    this.#connection
      .prepare(insertRound)
      .run(
        hostId,
        atMs,
        given,
        round.epoch,
        spanMs,
        round.lostRecords,
        ...nodeValues(node),
        ...amounts,
        ...peaks,
      )
    for (const [size, sql] of Object.entries(addToNode))
      this.#connection
        .prepare(sql)
        .run(
          bucketOf(atMs, Number(size)),
          hostId,
          ...capacityOf(node, spanMs),
          ...amounts,
          ...peaks,
        )
    return given
  }
}

const isNothing = amountColumns.map((name) => `coalesce(${name}, 0) = 0`).join(' AND ')

interface Usage {
  readonly keys: UsageKeys
  readonly amounts: AmountValues
}

const negative = (amounts: AmountValues): AmountValues =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, value]) => [name, value === null ? null : -value]),
  ) as AmountValues

const spanOf = ({ seconds }: NodeRound): number => Math.round(seconds * 1e3)

function gather(usage: Map<string, Usage>, keys: UsageKeys, amounts: AmountValues): void {
  const name = keys.join(' ')
  const known = usage.get(name)
  if (known === undefined) usage.set(name, { keys, amounts: { ...amounts } })
  else addAmounts(known.amounts, amounts)
}

const kib = (bytes: number | null): number | null =>
  bytes === null ? null : Math.round(bytes / 1024)

export const nodeValues = (node: ImportedUse): (number | string | null)[] => [
  node.cores,
  kib(node.memoryTotalBytes),
  node.gpus,
  kib(node.gpuMemoryTotalBytes),
  node.load === null ? null : Math.round(node.load * 1e3),
  kib(node.swapUsedBytes),
  node.ioWaitSeconds === null ? null : Math.round(node.ioWaitSeconds * 1e6),
  node.netReceivedBytes,
  node.netSentBytes,
  JSON.stringify(node.coreSeconds.map((seconds) => Math.round(seconds * 1e6))),
]

export function capacityOf(node: ImportedUse, spanMs: number): (number | null)[] {
  const overTime = (bytes: number | null): number | null => {
    const size = kib(bytes)
    return size === null ? null : size * spanMs
  }
  return [
    spanMs,
    node.cores === null ? null : node.cores * spanMs,
    overTime(node.memoryTotalBytes),
    node.gpus === null ? null : node.gpus * spanMs,
    overTime(node.gpuMemoryTotalBytes),
  ]
}
