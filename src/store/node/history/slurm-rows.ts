import type { PastSlurmJob } from '../../../model/past-slurm-job.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { number, numberOrNull, text } from '../../sqlite/row.ts'
import { hourMs } from '../buckets.ts'
import {
  addPastToLife,
  JobRows,
  jobTables,
  nameJob,
  type JobFacts,
  type JobKeys,
} from '../job-rows.ts'
import type { Names } from '../names.ts'
import { amountColumns, peakColumns } from '../node-schema.ts'
import { spreadOverHours } from './spread.ts'
import { UsageRows, type UsageKey } from './usage-rows.ts'

/** Of rows that only Slurm's account tells of, and of those that were made of samples of Sonar. */
const accountEpoch = 'sacct'
const sampledEpoch = '0'
const slackMs = hourMs

interface JobRow {
  readonly id: number
  readonly epoch: string
  readonly hostId: number
  readonly keys: JobKeys
}

const findRows = `SELECT id, epoch, host_id, user_id, account_id, command_id, first_ms, last_ms FROM job
  WHERE kind = 'slurm' AND (key = ?1 OR (key > ?1 || '@' AND key < ?1 || 'A'))`

/** The rows of Slurm jobs, as far as Slurm's own account changes them. */
export class SlurmRows {
  readonly #connection: Connection
  readonly #names: Names

  constructor(connection: Connection, names: Names) {
    this.#connection = connection
    this.#names = names
  }

  /** Rows of this run of the job that were made of samples. */
  sampled({ id, startedAt, endedAt }: PastSlurmJob): JobRow[] {
    const from = startedAt === null ? 0 : startedAt * 1e3 - slackMs
    const to = endedAt === null ? Number.MAX_SAFE_INTEGER : endedAt * 1e3 + slackMs
    return this.#find(id, from, to).filter(({ epoch }) => !epoch.startsWith(accountEpoch))
  }

  /** Tells who pays for a job and what it asked for; what it used counts for that account from now on. */
  describe(row: JobRow, { account, reservation, startedAt }: PastSlurmJob): void {
    const { cpus, memoryBytes, gpus, runtimeSeconds } = reservation
    this.#connection.run(
      `UPDATE job SET asked_cpus = ?, asked_memory_kib = ?, asked_gpus = ?, asked_seconds = ?,
       asked_by = 'slurm', started_ms = coalesce(?, started_ms) WHERE id = ?`,
      cpus,
      memoryBytes === null ? null : Math.round(memoryBytes / 1024),
      gpus,
      runtimeSeconds,
      startedAt === null ? null : Math.round(startedAt * 1e3),
      row.id,
    )
    if (account === null) return
    const [userId, old, commandId] = row.keys
    const fresh = this.#names.idOf('account', account)
    // What the agent saw it has named by itself, as far as it could.
    if (fresh === old || row.epoch !== sampledEpoch) return
    nameJob(this.#connection, row.id, [userId, fresh, commandId])
    this.#moveUsage(row, (atMs) => [atMs, row.hostId, userId, fresh, commandId])
  }

  /** Counts a job that nobody sampled: its CPU time evenly over the time that it ran, and over its hosts. */
  count(job: PastSlurmJob, startedAt: number, endedAt: number): void {
    const usage = new UsageRows(this.#connection)
    const micros = job.cpuSeconds === null ? null : Math.round(job.cpuSeconds * 1e6)
    const hosts = job.hosts.length === 0 ? ['unknown'] : job.hosts
    for (const [index, host] of hosts.entries()) {
      const own = micros === null ? null : partOf(micros, index, hosts.length)
      this.#countOn(host, job, { startedAt, endedAt, micros: own }, usage)
    }
    usage.write()
  }

  /** Undoes `count`: samples of the job have come, or its account has changed. */
  takeBack(job: PastSlurmJob): void {
    const rows = this.#find(job.id, 0, Number.MAX_SAFE_INTEGER)
    for (const row of rows.filter(({ epoch }) => epoch === epochOf(job))) {
      this.#moveUsage(row, () => null)
      this.#connection.run('DELETE FROM job_hour WHERE job_id = ?', row.id)
      this.#connection.run('DELETE FROM job WHERE id = ?', row.id)
    }
    this.#connection.run(
      'UPDATE imported_slurm_job SET is_counted = 0 WHERE key = ? AND started_ms = ?',
      job.id,
      startedMs(job),
    )
  }

  #countOn(
    host: string,
    job: PastSlurmJob,
    ran: { readonly startedAt: number; readonly endedAt: number; readonly micros: number | null },
    usage: UsageRows,
  ): void {
    const hostId = this.#names.idOf('host', host)
    const [startMs, endMs] = [Math.round(ran.startedAt * 1e3), Math.round(ran.endedAt * 1e3)]
    const place = { hostId, atMs: endMs, spanMs: endMs - startMs }
    // What was taken back must not be remembered, so nothing is.
    const row = new JobRows(this.#connection, this.#names).rowOf(factsOf(job), epochOf(job), place)
    const peakKib = job.memoryPeakBytes === null ? null : Math.round(job.memoryPeakBytes / 1024)
    const amounts = (micros: number | null) =>
      amountColumns.map((name) => (name === 'cpu_us' ? micros : null))
    const peaks = peakColumns.map((name) => (name === 'memory_peak_kib' ? peakKib : null))
    const add = this.#connection.prepare(jobTables.hour)
    for (const { atMs, spanMs, amount } of spreadOverHours(ran.micros, startMs, endMs)) {
      add.run(row.id, atMs, spanMs, ...amounts(amount), ...peaks)
      if (amount) usage.add([atMs, hostId, ...row.keys], amounts(amount))
    }
    this.#connection
      .prepare(addPastToLife)
      .run(startMs, endMs, endMs - startMs, ...amounts(ran.micros), ...peaks, row.id)
  }

  /** Takes what a job used out of the hourly tables, and puts it under another key if there is one. */
  #moveUsage(row: JobRow, keyAt: (atMs: number) => UsageKey | null): void {
    const usage = new UsageRows(this.#connection)
    const hours = this.#connection.map(
      `SELECT at_ms, ${amountColumns.join(', ')} FROM job_hour WHERE job_id = ?`,
      [row.id],
      (found) => ({
        atMs: number(found, 'at_ms'),
        amounts: amountColumns.map((name) => numberOrNull(found, name)),
      }),
    )
    for (const { atMs, amounts } of hours) {
      if (amounts.every((amount) => amount === null || amount === 0)) continue
      usage.subtract([atMs, row.hostId, ...row.keys], amounts)
      const key = keyAt(atMs)
      if (key !== null) usage.add(key, amounts)
    }
    usage.write()
    for (const { atMs } of hours) usage.forgetEmpty(atMs)
  }

  #find(id: string, fromMs: number, toMs: number): JobRow[] {
    const found = this.#connection.map(findRows, [id], (row) => ({
      id: number(row, 'id'),
      epoch: text(row, 'epoch'),
      hostId: number(row, 'host_id'),
      keys: [number(row, 'user_id'), number(row, 'account_id'), number(row, 'command_id')] as const,
      firstMs: number(row, 'first_ms'),
      lastMs: number(row, 'last_ms'),
    }))
    return found.filter(({ firstMs, lastMs }) => firstMs < toMs && lastMs > fromMs)
  }
}

export const startedMs = ({ startedAt }: PastSlurmJob): number => Math.round((startedAt ?? 0) * 1e3)
const epochOf = (job: PastSlurmJob): string => `${accountEpoch} ${startedMs(job)}`

const partOf = (whole: number, index: number, parts: number): number =>
  Math.floor((whole * (index + 1)) / parts) - Math.floor((whole * index) / parts)

const factsOf = (job: PastSlurmJob): JobFacts => ({
  kind: 'slurm',
  id: job.id,
  user: job.user ?? 'unknown',
  account: job.account,
  command: job.name ?? 'unknown',
  startedAt: job.startedAt,
  reservation: job.reservation,
  gpus: null,
  pid: null,
})
