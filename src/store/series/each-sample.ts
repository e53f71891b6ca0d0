import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { StoreError } from '../errors.ts'
import { arrays, numberOrNaN } from '../sqlite/figure-rows.ts'
import { counterColumns, hasCounters, timeAsNumber } from './file-series.ts'

/** One row of `job_resource_samples`; NaN is "not measured". The reader hands out the same object again and again. */
export interface SeriesFileSample {
  jobId: number
  /** 1 where the file does not tell attempts apart. */
  attempt: number
  /** Seconds since 1970. */
  timestamp: number
  /** NaN in a file that has counters, which tell it better. */
  cpuPercent: number
  memoryBytes: number
  processes: number
  /** Bytes so far, not since the sample before. */
  readBytes: number
  writeBytes: number
  /** Since the start of the attempt; NaN, as all that follow, in a file without counters. */
  elapsedSeconds: number
  cpuUserSeconds: number
  cpuSystemSeconds: number
  threads: number
}

export interface FileQuery {
  /** Without it: all jobs. */
  readonly jobIds?: readonly number[]
  /** By job and time; else as they were written, which is many times faster in a large file. */
  readonly ordered: boolean
  /** Nothing but the CPU counters, of jobs with these ids alone. */
  readonly countersOf?: { readonly first: number; readonly last: number }
}

/** Shows every sample, one at a time. `columns`: those of `job_resource_samples`. */
export function eachSample(
  database: DatabaseSync,
  path: string,
  columns: ReadonlySet<string>,
  query: FileQuery,
  visit: (sample: Readonly<SeriesFileSample>) => void,
): void {
  const sample = emptySample()
  for (const row of rowsOf(database, columns, query)) {
    sample.jobId = numberOrNaN(row[0])
    sample.timestamp = numberOrNaN(row[1])
    if (Number.isNaN(sample.timestamp))
      throw new StoreError('corrupt', path, 'a sample has a timestamp that is not a time')
    sample.cpuPercent = numberOrNaN(row[2])
    sample.memoryBytes = numberOrNaN(row[3])
    sample.processes = numberOrNaN(row[4])
    sample.attempt = row.length > 6 ? numberOrNaN(row[6]) : 1
    sample.readBytes = row.length > 7 ? numberOrNaN(row[7]) : Number.NaN
    sample.writeBytes = row.length > 7 ? numberOrNaN(row[8]) : Number.NaN
    if (row.length > 9) {
      sample.elapsedSeconds = numberOrNaN(row[9])
      sample.cpuUserSeconds = numberOrNaN(row[10])
      sample.cpuSystemSeconds = numberOrNaN(row[11])
      sample.threads = numberOrNaN(row[12])
    }
    visit(sample)
  }
}

/** Some thousand rows at a time take half as long as row by row: each call into SQLite costs as much as a row. */
function* rowsOf(
  database: DatabaseSync,
  columns: ReadonlySet<string>,
  query: FileQuery,
): Generator<readonly SQLOutputValue[]> {
  const { ordered, countersOf } = query
  const chosen = chosenJobs(query)
  const told = countersOf === undefined ? columns : countersAmong(columns)
  const select = `SELECT ${expressions(told).join(', ')} FROM job_resource_samples`
  if (ordered) {
    const sorted = database.prepare(`${select} WHERE ${chosen} ORDER BY job_id, 2`)
    sorted.setReturnArrays(true)
    yield* sorted.iterate() as Iterable<object> as Iterable<SQLOutputValue[]>
    return
  }
  const portion = database.prepare(
    `${select} WHERE rowid > ? AND ${chosen} ORDER BY rowid LIMIT 2000`,
  )
  let last: SQLOutputValue = -Number.MAX_SAFE_INTEGER
  for (;;) {
    const rows = arrays(portion, [last])
    yield* rows
    const end = rows.at(-1)
    if (end === undefined) return
    last = end[5] ?? null
  }
}

/** The plus keeps SQLite from going by the index, after which it would sort all rows for each portion. */
function chosenJobs({ jobIds, countersOf }: FileQuery): string {
  const ids = jobIds?.filter((id) => Number.isSafeInteger(id)).join(', ')
  const listed = ids === undefined ? 'TRUE' : `+job_id IN (${ids})`
  if (countersOf === undefined) return listed
  const { first, last } = countersOf
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return 'FALSE'
  return `+job_id BETWEEN ${first} AND ${last} AND ${listed}`
}

const countersAmong = (columns: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(['attempt', ...counterColumns, 'num_threads'].filter((name) => columns.has(name)))

/** Each column costs a tenth of a microsecond a row: what is not there is not asked for. */
function expressions(there: ReadonlySet<string>): string[] {
  const has = (name: string) => there.has(name)
  const orNull = (name: string) => (has(name) ? name : 'NULL')
  const isCounted = hasCounters(there)
  const columns = [
    'job_id',
    timeAsNumber,
    isCounted ? 'NULL' : 'cpu_percent',
    // An integer beyond 2^53 would make the reader throw.
    has('memory_bytes') ? 'CAST(memory_bytes AS REAL)' : 'NULL',
    orNull('num_processes'),
    'rowid',
  ]
  const hasIo = has('read_bytes') && has('write_bytes')
  if (has('attempt') || hasIo) columns.push(has('attempt') ? 'attempt' : '1')
  if (hasIo || isCounted) columns.push(...['read_bytes', 'write_bytes'].map(orNull))
  if (isCounted) columns.push(...counterColumns, orNull('num_threads'))
  return columns
}

const emptySample = (): SeriesFileSample => ({
  jobId: 0,
  attempt: 1,
  timestamp: Number.NaN,
  cpuPercent: Number.NaN,
  memoryBytes: Number.NaN,
  processes: Number.NaN,
  readBytes: Number.NaN,
  writeBytes: Number.NaN,
  elapsedSeconds: Number.NaN,
  cpuUserSeconds: Number.NaN,
  cpuSystemSeconds: Number.NaN,
  threads: Number.NaN,
})
