import type { Mark } from '../../../model/marks/mark.ts'
import type { Columns, DeviceSeries, Series, SeriesColumns } from '../../../model/series.ts'
import { MalformedRow } from '../../errors.ts'
import { arranged, devicesOf } from '../../series/held-series.ts'
import type { SeriesQuery, TimeRange } from '../../series/series.ts'
import { markOf } from '../../sqlite/mark-row.ts'
import { textOrNull, type Row } from '../../sqlite/row.ts'
import { unpackChunk, type PackedSeries } from '../chunk/chunk.ts'
import { columnsOf } from './packed-columns.ts'
import { narrowed, packedBytes, rowsOfPacked } from './rows-of-chunks.ts'
import type { Questions } from './questions.ts'

const chunks = 'SELECT packed FROM sample_chunk WHERE task_id = ? AND part = ?'
const rowCount =
  'SELECT max(first_row + row_count) FROM sample_chunk WHERE task_id = ? AND part = ?'
const inOrder = 'ORDER BY first_row'

type Part = 'sample' | 'device'

/** The samples of a team's jobs, unpacked from chunks. */
export class TeamSeries {
  readonly #questions: Questions

  constructor(questions: Questions) {
    this.#questions = questions
  }

  async read(taskId: string, query: SeriesQuery): Promise<Series> {
    const found = await this.#unpacked(taskId, 'sample', query)
    return arranged(narrowed(found.map(rowsOfPacked), query), query)
  }

  async readColumns(taskId: string, columns: Columns, range: TimeRange): Promise<SeriesColumns> {
    const found = await this.#unpacked(taskId, 'sample', range)
    return { columns, values: columnsOf(found, columns, range) }
  }

  async devices(taskId: string, range: TimeRange): Promise<readonly DeviceSeries[]> {
    const found = await this.#unpacked(taskId, 'device', range)
    return devicesOf(narrowed(found.map(rowsOfPacked), range), range)
  }

  async marks(taskId: string): Promise<readonly Mark[]> {
    const [row] = await this.#questions.rows('SELECT marks FROM attempt WHERE task_id = ?', [
      taskId,
    ])
    const kept = await this.#questions.made(async () => (row === undefined ? [] : marksIn(row)))
    return this.#questions.sound(kept, markOf)
  }

  async #unpacked(taskId: string, part: Part, query: SeriesQuery): Promise<PackedSeries[]> {
    const { conditions, values } = within(taskId, part, query)
    const sql = [chunks, ...conditions].join(' AND ')
    const rows = await this.#questions.rows(`${sql} ${inOrder}`, [taskId, part, ...values])
    return this.#questions.made(async () =>
      rows.flatMap(({ packed }) => unpackChunk(packedBytes(packed))),
    )
  }
}

/** Which chunks may have what is asked for. */
function within(
  taskId: string,
  part: Part,
  { fromSeconds, toSeconds, newest }: SeriesQuery,
): { readonly conditions: readonly string[]; readonly values: readonly (string | number)[] } {
  const asked: readonly (readonly [string, ...(string | number)[]])[] = [
    ...(fromSeconds === undefined ? [] : [['to_seconds >= ?', fromSeconds] as const]),
    ...(toSeconds === undefined ? [] : [['from_seconds <= ?', toSeconds] as const]),
    // The latest rows are in the last chunks, unless they are asked for up to a moment before these.
    ...(newest === undefined || toSeconds !== undefined
      ? []
      : ([[`first_row + row_count > (${rowCount}) - ?::bigint`, taskId, part, newest]] as const)),
  ]
  return {
    conditions: asked.map(([condition]) => condition),
    values: asked.flatMap(([, ...values]) => values),
  }
}

/** A list as `JSON.stringify` writes marks. */
function marksIn(row: Row): readonly Row[] {
  const kept = textOrNull(row, 'marks')
  if (kept === null) return []
  const marks: unknown = JSON.parse(kept)
  if (!Array.isArray(marks)) throw new MalformedRow('marks are not a list')
  return marks.map(({ elapsedSeconds, ...mark }: Row) => ({
    ...mark,
    elapsed_seconds: elapsedSeconds ?? null,
  }))
}
