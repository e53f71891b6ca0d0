import type { CountedAttempt, CountedAttempts } from '../../model/counted-attempt.ts'
import type { Columns } from '../../model/series.ts'
import type { BriefKey, BriefRecord } from '../../model/brief-record.ts'
import type { JobInList, ListPlace } from '../../model/listed-job.ts'
import type { OutcomeTally } from '../../model/outcome-tally.ts'
import type { Mark } from '../../model/marks/mark.ts'
import type { JobRecord } from '../../model/record.ts'
import { sampleNames } from '../../model/sample.ts'
import type { SeriesReader, SeriesWriter } from '../series/series.ts'
import { withoutFirst } from '../series/held-series.ts'
import { interruptedEnd } from './interrupted.ts'
import {
  keptDeviceRows,
  keptSamples,
  lastSampleOf,
  ledgerSeries,
  LedgerSeriesWriter,
} from './ledger-series.ts'
import type {
  AttemptEnd,
  AttemptRef,
  AttemptStart,
  PageQuery,
  PrunableCommands,
  PruneResult,
  RecordOrder,
  RecordQuery,
  RunningAttempt,
  SpooledAttempt,
  Store,
} from './store.ts'
import type { LastSeen } from '../spool/last-seen.ts'
import type { Connection } from '../sqlite/connection.ts'
import { StoreError } from '../errors.ts'
import { sqliteDialect } from './dialect.ts'
import { briefColumns, briefRecordOf } from './records/brief-row.ts'
import { endColumns, type StoredEnd } from './records/end-row.ts'
import { ownerNames, ownerOf } from './records/owner-row.ts'
import { keepMarks, marksOf } from './records/mark-table.ts'
import { pageOf } from './records/page-query.ts'
import { prunable, prune } from './prune.ts'
import { attemptsOf, countRecords, eachRecord, recordsByPrefix } from './records/record-query.ts'
import { attemptColumns, jobColumns, recordInRow, wholeRecord } from './records/record-row.ts'
import { instant, instantOrNull, number, numberOrNull, text } from '../sqlite/row.ts'
import { tallyOf } from './records/tally-query.ts'
import { attemptsAfter, attemptsById } from './records/count-query.ts'
import { UsageTable } from './records/usage-table.ts'
import { insertRow, updateRow } from '../sqlite/write-row.ts'

// An owner who was thought dead may tell the end of an attempt after the next one has begun.
const setState = `
  UPDATE job SET state = ? FROM attempt
  WHERE attempt.id = ? AND job.id = attempt.job_id AND job.attempt_count = attempt.number`

/** How many rows of an attempt are in the ledger. */
interface KeptRows {
  readonly samples: number
  readonly deviceRows: number
}

/** The ledger in one SQLite file. All values are bound; SQL is made of constants and of checked names of columns. */
export class SqliteStore implements Store {
  readonly #connection: Connection
  readonly #usages: UsageTable

  constructor(connection: Connection) {
    this.#connection = connection
    this.#usages = new UsageTable(connection)
  }

  begin(start: AttemptStart): AttemptRef {
    return this.#connection.transaction(() => {
      const jobId = insertRow(this.#connection, 'job', jobColumns(start.job))
      const attemptId = insertRow(
        this.#connection,
        'attempt',
        attemptColumns(start, { jobId, attempt: 1, runId: null }),
      )
      return { taskId: start.taskId, jobId, attemptId }
    })
  }

  writer(attempt: AttemptRef, columns: Columns = sampleNames): SeriesWriter {
    return new LedgerSeriesWriter(this.#connection, attempt.attemptId, columns)
  }

  /** Holds also over `interrupted`: who is here to tell the end was not dead after all. */
  finish(attempt: AttemptRef, end: AttemptEnd): void {
    const { outcome, samples, marks = [], ...rest } = end
    const written = this.#connection.transaction(() => {
      if (marks.length > 0) keepMarks(this.#connection, attempt.attemptId, marks)
      return this.#end(attempt.attemptId, {
        ...rest,
        ...outcome,
        samplesCollected: samples.collected,
        samplesLate: samples.late,
        sampleIntervalSeconds: samples.intervalSeconds,
        ownCpuSeconds: samples.ownCpuSeconds,
      })
    })
    if (!written)
      throw new StoreError(
        'conflict',
        this.#connection.path,
        `attempt ${attempt.taskId} is no longer in the ledger`,
      )
  }

  adopt(attempt: SpooledAttempt): AttemptRef {
    const { start, end } = attempt
    const { taskId } = start
    return this.#connection.transaction(() => {
      const row = this.#connection.row(
        `SELECT id, job_id, status, ${keptSamples} AS samples, ${keptDeviceRows} AS device_rows
         FROM attempt WHERE task_id = ?`,
        taskId,
      )
      const ref =
        row === undefined
          ? this.begin(start)
          : { taskId, jobId: number(row, 'job_id'), attemptId: number(row, 'id') }
      const status = row === undefined ? 'running' : text(row, 'status')
      if (status !== 'running' && status !== 'interrupted') return ref
      this.#addRest(ref, attempt, {
        samples: row === undefined ? 0 : number(row, 'samples'),
        deviceRows: row === undefined ? 0 : number(row, 'device_rows'),
      })
      if (end !== null) this.finish(ref, end)
      return ref
    })
  }

  find(query: RecordQuery): JobRecord[] {
    return attemptsOf(this.#connection, wholeRecord(sqliteDialect), query, recordInRow)
  }

  each(query: RecordQuery, order: RecordOrder): Iterable<JobRecord> {
    return eachRecord(this.#connection, query, order)
  }

  findBrief<Key extends BriefKey>(query: RecordQuery, keys: readonly Key[]): BriefRecord<Key>[] {
    return attemptsOf(this.#connection, briefColumns(keys, sqliteDialect), query, (row) =>
      briefRecordOf(row, keys),
    )
  }

  page(query: PageQuery, after: ListPlace | null): JobInList[] {
    return pageOf(this.#connection, query, after)
  }

  count(query: RecordQuery): number {
    return countRecords(this.#connection, query)
  }

  tally(owners?: readonly string[]): OutcomeTally[] {
    return tallyOf(this.#connection, owners)
  }

  countedAfter(attemptId: number, limit: number): CountedAttempts {
    return attemptsAfter(this.#connection, attemptId, limit)
  }

  countedById(attemptIds: readonly number[]): CountedAttempt[] {
    return attemptsById(this.#connection, attemptIds)
  }

  findByPrefix(prefix: string): JobRecord[] {
    return recordsByPrefix(this.#connection, prefix)
  }

  series(taskId: string): SeriesReader {
    return ledgerSeries(this.#connection, taskId)
  }

  marks(taskId: string): readonly Mark[] {
    return marksOf(this.#connection, taskId)
  }

  addMarks(taskId: string, marks: readonly Mark[]): void {
    const row = this.#connection.row('SELECT id FROM attempt WHERE task_id = ?', taskId)
    if (row === undefined) return
    this.#connection.transaction(() => keepMarks(this.#connection, number(row, 'id'), marks))
  }

  running(): RunningAttempt[] {
    return this.#connection.mapSound(
      `SELECT task_id, started_at, ${ownerNames.join(', ')},
         (SELECT workflow_id FROM job WHERE id = job_id) AS workflow_id,
         EXISTS (SELECT 1 FROM attempt_handle WHERE attempt_id = attempt.id) AS is_elsewhere,
         (SELECT timestamp FROM sample WHERE attempt_id = attempt.id ORDER BY id DESC LIMIT 1) AS sampled_at
       FROM attempt WHERE status = 'running' ORDER BY id`,
      [],
      (row) => ({
        taskId: text(row, 'task_id'),
        workflowId: numberOrNull(row, 'workflow_id'),
        isElsewhere: number(row, 'is_elsewhere') === 1,
        owner: ownerOf(row),
        heardAt: Math.max(instant(row, 'started_at'), instantOrNull(row, 'sampled_at') ?? 0),
      }),
    )
  }

  interrupt(taskId: string, reason: string, seen?: LastSeen): boolean {
    return this.#connection.transaction(() => {
      const row = this.#connection.row(
        `SELECT id, started_at, sample_interval_seconds,
           ${keptSamples} AS kept,
           (SELECT max(memory_bytes) FROM sample WHERE attempt_id = attempt.id) AS memory_peak_bytes
         FROM attempt WHERE task_id = ? AND status = 'running'`,
        taskId,
      )
      if (row === undefined) return false
      const id = number(row, 'id')
      const kept = number(row, 'kept')
      const remains = {
        startedAt: number(row, 'started_at'),
        lastSample: lastSampleOf(this.#connection, id),
        memoryPeakBytes: numberOrNull(row, 'memory_peak_bytes'),
      }
      const end = interruptedEnd(remains, seen)
      return this.#end(id, {
        ...end,
        status: 'interrupted',
        exitCode: null,
        signal: null,
        reason,
        stragglers: [],
        samplesCollected: kept === 0 ? (seen?.samples ?? 0) : kept,
        samplesLate: 0,
        sampleIntervalSeconds: numberOrNull(row, 'sample_interval_seconds'),
        ownCpuSeconds: null,
      })
    })
  }

  noteNothingLeft({ attemptId }: AttemptRef): void {
    updateRow(this.#connection, 'attempt', attemptId, { stragglers: '[]' })
  }

  prune(startedBefore: number): PruneResult {
    return prune(this.#connection, startedBefore)
  }

  prunable(startedBefore: number): PrunableCommands {
    return prunable(this.#connection, startedBefore)
  }

  close(): void {
    this.#connection.close()
  }

  /** What is not here yet of samples that were written down elsewhere. */
  #addRest(ref: AttemptRef, attempt: SpooledAttempt, kept: KeptRows): void {
    const { columns = sampleNames, rows, count, devices = [] } = attempt
    const writer = this.writer(ref, columns)
    const skipped = Math.max(0, kept.samples - (attempt.samplesBefore ?? 0))
    if (count > skipped) writer.add(rows.subarray(skipped * columns.length), count - skipped)
    const deviceRows = Math.max(0, kept.deviceRows - (attempt.deviceRowsBefore ?? 0))
    for (const more of withoutFirst(devices, deviceRows)) writer.addDevice(more)
  }

  /** A workflow's job stands as its last attempt ended. */
  #end(attemptId: number, facts: StoredEnd): boolean {
    if (!updateRow(this.#connection, 'attempt', attemptId, endColumns(facts))) return false
    this.#usages.keep(attemptId, facts.usage)
    const state = facts.status === 'unknown' ? 'error' : facts.status
    this.#connection.run(setState, state, attemptId)
    return true
  }
}
