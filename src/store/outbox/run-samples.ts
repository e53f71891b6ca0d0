import { sampleNames } from '../../model/sample.ts'
import type { Columns, Device, DeviceSeries } from '../../model/series.ts'
import { StoreError } from '../errors.ts'
import { packChunk, rowsPerChunk, type PackedSeries } from '../postgres/chunk/chunk.ts'
import type { ChunkRow } from '../postgres/write/batch.ts'
import { openSeriesReader, type SeriesFileReader } from '../series/series-file-reader.ts'
import { seriesPaths } from '../series/series-path.ts'
import { placeBeside } from '../series/series-search.ts'
import type { SeriesReader } from '../series/series.ts'
import type { Connection } from '../sqlite/connection.ts'
import { text } from '../sqlite/row.ts'
import { deviceChunks } from './device-chunks.ts'
import type { LocalAttempt } from './local-attempts.ts'
import { samplesSent, type ReadChunks, type SentSamples } from './local-samples.ts'

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
  const devices = series.devices()
  const deviceRows = devices.reduce((sum, device) => sum + device.rows.length, 0)
  const sent = samplesSent(rows.length, deviceRows)
  if (sent.rows <= before.rows) return { chunks: [], sent: before, hasMore: false }
  const { sample, device } = before
  const own = packedIn({ kind: '', id: '' }, columns, rows.slice(sample.firstRow))
  const ofDevices = deviceChunks(devices).slice(device.firstRow / rowsPerChunk)
  const chunks = [
    ...inPlaces(
      'sample',
      sample.firstRow,
      own.map((one) => [one]),
      whose,
    ),
    ...inPlaces('device', device.firstRow, ofDevices.map(packedDevices), whose),
  ]
  return { chunks, sent, hasMore: false }
}

const packedDevices = (devices: readonly DeviceSeries[]): PackedSeries[] =>
  devices.flatMap(({ kind, id, columns, rows }) => packedIn({ kind, id }, columns, rows))

/** One after the other, from this row on. */
function inPlaces(
  part: ChunkRow['part'],
  from: number,
  chunks: readonly (readonly PackedSeries[])[],
  whose: Pick<ChunkRow, 'user' | 'startedAt'>,
): ChunkRow[] {
  let firstRow = from
  return chunks.map((packed) => {
    const chunk = chunkOf(part, firstRow, packed, whose)
    firstRow += chunk.rowCount
    return chunk
  })
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
