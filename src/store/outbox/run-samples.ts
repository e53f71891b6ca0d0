import { sampleNames } from '../../model/sample.ts'
import type { Columns, Device } from '../../model/series.ts'
import { StoreError } from '../errors.ts'
import { packChunk, type PackedSeries } from '../postgres/chunk/chunk.ts'
import type { ChunkRow } from '../postgres/write/batch.ts'
import { openSeriesReader, type SeriesFileReader } from '../series/series-file-reader.ts'
import { seriesPaths } from '../series/series-path.ts'
import { placeBeside } from '../series/series-search.ts'
import type { SeriesReader } from '../series/series.ts'
import type { Connection } from '../sqlite/connection.ts'
import { text } from '../sqlite/row.ts'
import type { LocalAttempt } from './local-attempts.ts'
import { rowsPerChunk, samplesSent, type ReadChunks, type SentSamples } from './local-samples.ts'

/** A series file, and the attempts that have samples in it. */
interface OpenFile {
  readonly reader: SeriesFileReader
  readonly taskIds: ReadonlySet<string>
}

/** Samples of jobs of workflows: they are not in the ledger, but in the series files of runs. */
export class RunSamples {
  readonly #connection: Connection
  readonly #files = new Map<string, readonly OpenFile[]>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** What was not sent yet of an attempt; nothing where it is of no run, or its file was never made, moved or removed. */
  read(attempt: LocalAttempt, runId: number | null, before: SentSamples): ReadChunks {
    const nothing = { chunks: [], sent: before, hasMore: false }
    const { workflowId, taskId, jobId, user, startedAt } = attempt
    if (workflowId === null || runId === null) return nothing
    const found = this.#filesOf(workflowId, runId).find(({ taskIds }) => taskIds.has(taskId))
    if (found === undefined) return nothing
    try {
      return unsentOf(found.reader.series(jobId, attempt.number), { user, startedAt }, before)
    } catch (error) {
      // The record is worth more than its samples, which stay where they are.
      if (error instanceof StoreError) return nothing
      throw error
    }
  }

  /** To be called when a batch is made: files are kept open only for as long. */
  close(): void {
    for (const files of this.#files.values()) for (const { reader } of files) reader.close()
    this.#files.clear()
  }

  #filesOf(workflowId: number, runId: number): readonly OpenFile[] {
    const key = `${workflowId} ${runId}`
    const known = this.#files.get(key)
    if (known !== undefined) return known
    const files = this.#pathsOf(workflowId, runId).flatMap(opened)
    this.#files.set(key, files)
    return files
  }

  #pathsOf(workflowId: number, runId: number): string[] {
    const sql = 'SELECT host, output_directory FROM run WHERE workflow_id = ? AND run_id = ?'
    const row = this.#connection.row(sql, workflowId, runId)
    if (row === undefined) return []
    const run = { host: text(row, 'host'), workflowId, runId }
    const places = [placeBeside(this.#connection.path), text(row, 'output_directory')]
    return places.flatMap((place) => seriesPaths(place, run) ?? [])
  }
}

function opened(path: string): OpenFile[] {
  try {
    const reader = openSeriesReader(path)
    return [{ reader, taskIds: new Set(reader.taskIds()) }]
  } catch (error) {
    if (error instanceof StoreError) return []
    throw error
  }
}

function unsentOf(
  series: SeriesReader,
  whose: Pick<ChunkRow, 'user' | 'startedAt'>,
  before: SentSamples,
): ReadChunks {
  const { columns, rows } = series.read()
  const ofDevices = series
    .devices()
    .flatMap(({ kind, id, ...device }) => packedIn({ kind, id }, device.columns, device.rows))
  const deviceRows = ofDevices.reduce((sum, { count }) => sum + count, 0)
  const sent = samplesSent(rows.length, deviceRows)
  if (sent.rows <= before.rows) return { chunks: [], sent: before, hasMore: false }
  let { firstRow } = before.sample
  const own = packedIn({ kind: '', id: '' }, columns, rows.slice(firstRow))
  const chunks = own.map((packed) => {
    const chunk = chunkOf('sample', firstRow, [packed], whose)
    firstRow += packed.count
    return chunk
  })
  // Together: if a device has more rows the next time, the chunk is replaced as a whole.
  const all = ofDevices.length === 0 ? chunks : [...chunks, chunkOf('device', 0, ofDevices, whose)]
  return { chunks: all, sent, hasMore: false }
}

function chunkOf(
  part: ChunkRow['part'],
  firstRow: number,
  packed: readonly PackedSeries[],
  whose: Pick<ChunkRow, 'user' | 'startedAt'>,
): ChunkRow {
  const known = packed
    .flatMap(({ columns, values }) => [...(values[columns.indexOf('elapsed_seconds')] ?? [])])
    .filter((time) => !Number.isNaN(time))
  return {
    ...whose,
    part,
    firstRow,
    rowCount: packed.reduce((sum, { count }) => sum + count, 0),
    fromSeconds: known.length === 0 ? null : known.reduce((one, other) => Math.min(one, other)),
    toSeconds: known.length === 0 ? null : known.reduce((one, other) => Math.max(one, other)),
    packed: packChunk(packed),
  }
}

/** Some rows at a time, column by column; a column without any figure is left out, but for the times. */
function packedIn(device: Device, columns: Columns, rows: readonly Float64Array[]): PackedSeries[] {
  const packed: PackedSeries[] = []
  for (let first = 0; first < rows.length; first += rowsPerChunk) {
    const some = rows.slice(first, first + rowsPerChunk)
    const kept = columns.flatMap((name, place) => {
      const values = Float64Array.from(some, (row) => row[place] ?? Number.NaN)
      const isKept = times.has(name) || values.some((value) => !Number.isNaN(value))
      return isKept ? [{ name, values }] : []
    })
    packed.push({
      ...device,
      columns: kept.map(({ name }) => name),
      count: some.length,
      values: kept.map(({ values }) => values),
    })
  }
  return packed
}

const times: ReadonlySet<string> = new Set(sampleNames.slice(0, 2))
