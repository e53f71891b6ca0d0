import type { PastSlurmJob } from '../../../model/past-slurm-job.ts'
import { openPrivateDatabase, type FileSettings } from '../../sqlite/open-private.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { number, text } from '../../sqlite/row.ts'
import { Names } from '../names.ts'
import { makeTables } from '../open-node.ts'
import { BatchWriter } from './batch-writer.ts'
import type { HistoryBatch } from './history-batch.ts'
import { SlurmRows, startedMs } from './slurm-rows.ts'
import { SlurmSaid } from './slurm-said.ts'

/** A time of which all samples of a host are in the database. */
export interface PastStretch {
  readonly fromMs: number
  readonly toMs: number
}

/** With the counters at its end, as text. */
export interface ChangedStretch extends PastStretch {
  readonly counters: string
}

export interface PastCapacity {
  readonly atMs: number
  readonly capacity: string
}

/** What is to be known of a host, so that nothing is counted twice. */
export interface HostHistory {
  readonly stretches: readonly PastStretch[]
  readonly capacity: PastCapacity | undefined
}

export interface ChangedHost {
  readonly host: string
  /** Those that are new, or longer than they were. */
  readonly stretches: readonly ChangedStretch[]
  readonly capacity: PastCapacity | undefined
}

const upsertStretch = `INSERT INTO imported_stretch (host_id, from_ms, to_ms, counters) VALUES (?, ?, ?, ?)
  ON CONFLICT (host_id, from_ms) DO UPDATE SET to_ms = excluded.to_ms, counters = excluded.counters`
const upsertCapacity = `INSERT INTO imported_capacity (host_id, at_ms, capacity) VALUES (?, ?, ?)
  ON CONFLICT (host_id) DO UPDATE SET at_ms = excluded.at_ms, capacity = excluded.capacity`
const upsertSaid = `INSERT INTO imported_slurm_job (key, started_ms, said, is_counted) VALUES (?, ?, ?, ?)
  ON CONFLICT (key, started_ms) DO UPDATE SET said = excluded.said, is_counted = excluded.is_counted`

/** The database of a node, open for what other tools saw before. */
export class NodeHistory {
  readonly path: string
  readonly #connection: Connection
  readonly #names: Names
  readonly #slurm: SlurmRows
  readonly #said: SlurmSaid
  readonly #writer: BatchWriter

  constructor(connection: Connection) {
    this.path = connection.path
    this.#connection = connection
    this.#names = new Names(connection)
    this.#slurm = new SlurmRows(connection, this.#names)
    this.#said = new SlurmSaid(connection, this.#slurm)
    this.#writer = new BatchWriter(connection, this.#names, this.#said)
  }

  hostHistory(host: string): HostHistory {
    const stretches = this.#connection.map(
      `SELECT from_ms, to_ms FROM imported_stretch
       WHERE host_id = (SELECT id FROM host WHERE name = ?) ORDER BY from_ms`,
      [host],
      (row) => ({ fromMs: number(row, 'from_ms'), toMs: number(row, 'to_ms') }),
    )
    const [capacity] = this.#connection.map(
      'SELECT at_ms, capacity FROM imported_capacity WHERE host_id = (SELECT id FROM host WHERE name = ?)',
      [host],
      (row) => ({ atMs: number(row, 'at_ms'), capacity: text(row, 'capacity') }),
    )
    return { stretches, capacity }
  }

  /** The counters at the end of a stretch. */
  countersOf(host: string, fromMs: number): string | undefined {
    const sql = `SELECT counters FROM imported_stretch
      WHERE host_id = (SELECT id FROM host WHERE name = ?) AND from_ms = ?`
    const [found] = this.#connection.map(sql, [host, fromMs], (row) => text(row, 'counters'))
    return found
  }

  /** Whether the agent itself looked at a host in the hour that began then. */
  isAgents(host: string, hourAtMs: number): boolean {
    const sql = `
      SELECT 1 AS found FROM node_hour WHERE at_ms = ?1
        AND host_id = (SELECT id FROM host WHERE name = ?2)
        AND NOT EXISTS (SELECT 1 FROM imported_hour WHERE imported_hour.host_id = node_hour.host_id AND at_ms = ?1)`
    return this.#connection.row(sql, hourAtMs, host) !== undefined
  }

  /** Keeps rounds and up to where each host is known, all or nothing. */
  commit(batch: HistoryBatch, hosts: Iterable<ChangedHost>): void {
    this.#connection.transaction(() => {
      this.#names.refresh()
      this.#writer.write(batch)
      for (const { host, stretches, capacity } of hosts) {
        const hostId = this.#names.idOf('host', host)
        for (const { fromMs, toMs, counters } of stretches)
          this.#connection.run(upsertStretch, hostId, fromMs, toMs, counters)
        if (capacity !== undefined)
          this.#connection.run(upsertCapacity, hostId, capacity.atMs, capacity.capacity)
      }
    })
  }

  /** Keeps what Slurm's account says of jobs, all or nothing; tells for each whether that was new. */
  addSlurmJobs(jobs: readonly PastSlurmJob[]): readonly boolean[] {
    return this.#connection.transaction(() => {
      this.#names.refresh()
      return jobs.map((job) => this.#addSlurmJob(job))
    })
  }

  #addSlurmJob(job: PastSlurmJob): boolean {
    const before = this.#said.lookUp(job)
    const told = JSON.stringify(job)
    const { startedAt, endedAt } = job
    const isOver = startedAt !== null && endedAt !== null
    const sampled = this.#slurm.sampled(job)
    const isCounted = before?.isCounted ?? false
    if (before !== undefined && JSON.stringify(before.job) === told) return false
    if (before !== undefined && isCounted) this.#slurm.takeBack(before.job)
    const counts = sampled.length === 0 && isOver
    this.#connection.run(upsertSaid, job.id, startedMs(job), told, counts ? 1 : 0)
    for (const row of sampled) this.#slurm.describe(row, job)
    if (counts) this.#slurm.count(job, startedAt, endedAt)
    this.#said.forget(job.id)
    return true
  }

  close(): void {
    this.#connection.close()
  }
}

/** Opens the database of a node to add the past to it, made where there is none. */
export function openNodeHistory(path: string, settings: FileSettings = {}): NodeHistory {
  return openPrivateDatabase(path, { ...settings, kind: 'node database' }, (connection) => {
    makeTables(connection)
    connection.chooseJournal()
    // Roll-ups are looked up all over their tables.
    connection.script('PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 2000')
    return new NodeHistory(connection)
  })
}
