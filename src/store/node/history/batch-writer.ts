import type { Connection } from '../../sqlite/connection.ts'
import { addToNode, insertImportedRound, nodeValues } from '../add-round.ts'
import { fiveMinutesMs, hourMs } from '../buckets.ts'
import { addPastToLife, JobRows, jobTables } from '../job-rows.ts'
import type { Names } from '../names.ts'
import { amountsOf, peaksOf } from '../round-values.ts'
import type { HistoryBatch, PastJobRows, PastNodeRow, PastNodeRows } from './history-batch.ts'
import type { SlurmSaid } from './slurm-said.ts'
import { Sums } from './sums.ts'
import { UsageRows } from './usage-rows.ts'

const addHour = 'INSERT OR IGNORE INTO imported_hour (host_id, at_ms) VALUES (?, ?)'

/** Writes what was gathered, inside a transaction of its caller. */
export class BatchWriter {
  readonly #connection: Connection
  readonly #names: Names
  readonly #jobs: JobRows
  readonly #said: SlurmSaid

  constructor(connection: Connection, names: Names, said: SlurmSaid) {
    this.#connection = connection
    this.#names = names
    this.#jobs = new JobRows(connection, names)
    this.#said = said
  }

  write(batch: HistoryBatch): void {
    for (const node of batch.nodes.values()) this.#addNode(node)
    const usage = new UsageRows(this.#connection)
    for (const rows of batch.jobs.values()) this.#addJob(rows, usage)
    usage.write()
  }

  #addNode({ host, rounds, five, hour }: PastNodeRows): void {
    const hostId = this.#names.idOf('host', host)
    this.#addBuckets(hostId, fiveMinutesMs, five)
    this.#addBuckets(hostId, hourMs, hour)
    for (const atMs of hour.keys()) this.#connection.prepare(addHour).run(hostId, atMs)
    const insert = this.#connection.prepare(insertImportedRound)
    for (const { at, seconds, epoch, node } of rounds)
      insert.run(
        hostId,
        Math.round(at * 1e3),
        // Numbers tell in which order an agent looked.
        null,
        epoch,
        Math.round(seconds * 1e3),
        0,
        ...nodeValues(node),
        ...Object.values(amountsOf(node, seconds)),
        ...Object.values(peaksOf(node, seconds)),
      )
  }

  #addBuckets(
    hostId: number,
    size: keyof typeof addToNode,
    rows: ReadonlyMap<number, PastNodeRow>,
  ): void {
    const add = this.#connection.prepare(addToNode[size])
    for (const [atMs, { sums, capacity }] of rows)
      add.run(atMs, hostId, ...capacity, ...sums.amounts, ...sums.peaks)
  }

  #addJob(rows: PastJobRows, usage: UsageRows): void {
    const { firstMs, lastMs } = rows
    const hostId = this.#names.idOf('host', rows.host)
    const job = rows.job.kind === 'slurm' ? this.#said.completed(rows.job, rows.host) : rows.job
    const place = { hostId, atMs: lastMs, spanMs: lastMs - firstMs }
    const { id, keys } = this.#jobs.rowOf(job, rows.job.epoch, place)
    for (const size of ['raw', 'five', 'hour'] as const) {
      const add = this.#connection.prepare(jobTables[size])
      for (const [atMs, { spanMs, amounts, peaks }] of rows[size])
        add.run(id, atMs, spanMs, ...amounts, ...peaks)
    }
    const life = new Sums()
    for (const [atMs, sums] of rows.hour) {
      life.add(sums.spanMs, sums.amounts, sums.peaks)
      if (!sums.isEmpty) usage.add([atMs, hostId, ...keys], sums.amounts)
    }
    this.#connection
      .prepare(addPastToLife)
      .run(firstMs, lastMs, life.spanMs, ...life.amounts, ...life.peaks, id)
  }
}
