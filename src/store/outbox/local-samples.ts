import { sampleNames } from '../../model/sample.ts'
import type { Columns } from '../../model/series.ts'
import { packChunk, rowsPerChunk, type PackedSeries } from '../postgres/chunk/chunk.ts'
import type { ChunkRow } from '../postgres/write/batch.ts'
import type { Connection } from '../sqlite/connection.ts'
import { arrays, asFigure, figuresIn, numberOrNaN } from '../sqlite/figure-rows.ts'
import { number } from '../sqlite/row.ts'
import type { SQLOutputValue } from 'node:sqlite'

/** Where the first row is that is not yet in a full chunk. */
export interface ChunkPlace {
  readonly firstRow: number
  /** The id of the row before it; undefined where it is not known. */
  readonly afterId: number | undefined
}

const start: ChunkPlace = { firstRow: 0, afterId: 0 }

/** How far the samples of an attempt were sent. */
export interface SentSamples {
  readonly sample: ChunkPlace
  readonly device: ChunkPlace
  /** Rows sent in all. */
  readonly rows: number
}

export const noSamples: SentSamples = { sample: start, device: start, rows: 0 }

/** By how many rows of each the team has. */
export const samplesSent = (samples: number, deviceRows: number): SentSamples => ({
  sample: chunkOf(samples),
  device: chunkOf(deviceRows),
  rows: samples + deviceRows,
})

const chunkOf = (rows: number): ChunkPlace =>
  rows < rowsPerChunk ? start : { firstRow: rows - (rows % rowsPerChunk), afterId: undefined }

export interface ReadChunks {
  readonly chunks: readonly ChunkRow[]
  readonly sent: SentSamples
  /** Whether there are more than were asked for. */
  readonly hasMore: boolean
}

type Whose = Pick<ChunkRow, 'user' | 'startedAt'>

const tables = { sample: 'sample', device: 'device_sample' } as const
const parts = ['sample', 'device'] as const

/** Samples of a local ledger, packed to be sent. */
export class LocalSamples {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** What was not sent yet, of about so many rows. */
  read(attemptId: number, whose: Whose, before: SentSamples, mostRows: number): ReadChunks {
    const chunks: ChunkRow[] = []
    const places = { sample: before.sample, device: before.device }
    let left = mostRows
    let hasMore = false
    for (const part of parts)
      for (let isFull = true; isFull;) {
        if (left <= 0) {
          hasMore = true
          break
        }
        const read = this.#chunk(part, attemptId, whose, places[part])
        if (read === undefined) break
        chunks.push(read.chunk)
        left -= read.chunk.rowCount
        isFull = read.chunk.rowCount === rowsPerChunk
        if (isFull) places[part] = read.next
      }
    const rows = { sample: places.sample.firstRow, device: places.device.firstRow }
    for (const chunk of chunks)
      rows[chunk.part] = Math.max(rows[chunk.part], chunk.firstRow + chunk.rowCount)
    return { chunks, hasMore, sent: { ...places, rows: rows.sample + rows.device } }
  }

  #chunk(
    part: (typeof parts)[number],
    attemptId: number,
    { user, startedAt }: Whose,
    { firstRow, afterId }: ChunkPlace,
  ): { chunk: ChunkRow; next: ChunkPlace } | undefined {
    const table = tables[part]
    const columns = figuresIn((sql) => this.#connection.prepare(sql), table)
    const keys = part === 'device' ? ['kind', 'device'] : ["'' AS kind", "'' AS device"]
    const figures = columns.map(asFigure)
    const after = afterId ?? this.#idBefore(table, attemptId, firstRow)
    const statement = this.#connection.prepare(
      `SELECT id, ${[...keys, ...figures].join(', ')} FROM ${table}
       WHERE attempt_id = ? AND id > ? ORDER BY id LIMIT ${rowsPerChunk}`,
    )
    const rows = arrays(statement, [attemptId, after])
    if (rows.length === 0) return undefined
    const [fromSeconds, toSeconds] = span(rows, 3 + columns.indexOf('elapsed_seconds'))
    const packed = packChunk(seriesIn(rows, columns))
    const rowCount = rows.length
    return {
      chunk: { part, user, startedAt, firstRow, rowCount, fromSeconds, toSeconds, packed },
      next: { firstRow: firstRow + rowCount, afterId: Number(rows.at(-1)?.[0]) },
    }
  }

  #idBefore(table: string, attemptId: number, firstRow: number): number {
    if (firstRow === 0) return 0
    const sql = `SELECT id FROM ${table} WHERE attempt_id = ? ORDER BY id LIMIT 1 OFFSET ?`
    const row = this.#connection.row(sql, attemptId, firstRow - 1)
    return row === undefined ? Number.MAX_SAFE_INTEGER : number(row, 'id')
  }
}

type ArrayRow = readonly SQLOutputValue[]

function span(rows: readonly ArrayRow[], place: number): [number | null, number | null] {
  const times = rows.map((row) => numberOrNaN(row[place])).filter((time) => !Number.isNaN(time))
  if (times.length === 0) return [null, null]
  return [
    times.reduce((one, other) => Math.min(one, other)),
    times.reduce((one, other) => Math.max(one, other)),
  ]
}

/** The rows of each device together, in the order in which devices appear. */
function seriesIn(rows: readonly ArrayRow[], columns: Columns): PackedSeries[] {
  const byDevice = new Map<string, ArrayRow[]>()
  for (const row of rows) {
    const key = `${String(row[1])}\0${String(row[2])}`
    const group = byDevice.get(key)
    if (group === undefined) byDevice.set(key, [row])
    else group.push(row)
  }
  return [...byDevice.values()].map((group) => {
    const values = columns.map((_, place) =>
      Float64Array.from(group, (row) => numberOrNaN(row[3 + place])),
    )
    const kept = columns.flatMap((name, place) =>
      always.has(name) || values[place]?.some((value) => !Number.isNaN(value)) ? [place] : [],
    )
    return {
      kind: String(group[0]?.[1]),
      id: String(group[0]?.[2]),
      columns: kept.map((place) => columns[place] ?? ''),
      count: group.length,
      values: kept.map((place) => values[place] ?? new Float64Array()),
    }
  })
}

/** A column without any figure is left out, but for the times. */
const always: ReadonlySet<string> = new Set(sampleNames.slice(0, 2))
