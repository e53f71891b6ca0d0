import type { Mark } from '../../../model/marks/mark.ts'
import type { Columns, DeviceSeries, Series, SeriesColumns } from '../../../model/series.ts'
import { MalformedRow } from '../../errors.ts'
import { arranged, devicesOf } from '../../series/held-series.ts'
import type { SeriesQuery, TimeRange } from '../../series/series.ts'
import { markOf } from '../../sqlite/mark-row.ts'
import { textOrNull, type Row } from '../../sqlite/row.ts'
import type { PackedSeries } from '../chunk/chunk.ts'
import { chunksOfTask } from './chunks-of-task.ts'
import { columnsOf } from './packed-columns.ts'
import { narrowed, rowsOfPacked } from './rows-of-chunks.ts'
import type { Questions } from './questions.ts'
import { unpackRows } from './unpack-rows.ts'

const chunks = `SELECT first_row, row_count, packed ${chunksOfTask}`
const rowCount = `SELECT max(first_row + row_count) ${chunksOfTask}`
const inOrder = 'ORDER BY first_row'

interface Asked {
  readonly taskId: string
  /** Whose, where several have sent a task of this id; else of who was the first. */
  readonly user: string | undefined
  readonly part: 'sample' | 'device'
}

const marksOfTask = `
  SELECT marks FROM attempt WHERE task_id = ? AND "user" = coalesce(?, "user") ORDER BY id LIMIT 1`

/** The samples of a team's jobs, unpacked from chunks. */
export class TeamSeries {
  readonly #questions: Questions

  constructor(questions: Questions) {
    this.#questions = questions
  }

  async read(taskId: string, query: SeriesQuery, user?: string): Promise<Series> {
    const found = await this.#unpacked({ taskId, user, part: 'sample' }, query)
    return arranged(narrowed(found.map(rowsOfPacked), query), query)
  }

  async readColumns(
    taskId: string,
    columns: Columns,
    range: TimeRange,
    user?: string,
  ): Promise<SeriesColumns> {
    const found = await this.#unpacked({ taskId, user, part: 'sample' }, range)
    return { columns, values: columnsOf(found, columns, range) }
  }

  async devices(taskId: string, range: TimeRange, user?: string): Promise<readonly DeviceSeries[]> {
    const found = await this.#unpacked({ taskId, user, part: 'device' }, range)
    return devicesOf(narrowed(found.map(rowsOfPacked), range), range)
  }

  async marks(taskId: string, user?: string): Promise<readonly Mark[]> {
    const [row] = await this.#questions.rows(marksOfTask, [taskId, user ?? null])
    const kept = await this.#questions.made(async () => (row === undefined ? [] : marksIn(row)))
    return this.#questions.sound(kept, markOf)
  }

  async #unpacked({ taskId, user, part }: Asked, query: SeriesQuery): Promise<PackedSeries[]> {
    const place = [taskId, user ?? null, part]
    const { conditions, values } = within(place, query)
    const sql = [chunks, ...conditions].join(' AND ')
    const rows = await this.#questions.rows(`${sql} ${inOrder}`, [...place, ...values])
    return this.#questions.made(() => unpackRows(taskId, rows))
  }
}

/** Which chunks may have what is asked for. */
function within(
  place: readonly (string | null)[],
  { fromSeconds, toSeconds, newest }: SeriesQuery,
): {
  readonly conditions: readonly string[]
  readonly values: readonly (string | number | null)[]
} {
  const asked: readonly (readonly [string, ...(string | number | null)[]])[] = [
    ...(fromSeconds === undefined ? [] : [['to_seconds >= ?', fromSeconds] as const]),
    ...(toSeconds === undefined ? [] : [['from_seconds <= ?', toSeconds] as const]),
    // The latest rows are in the last chunks, unless they are asked for up to a moment before these.
    ...(newest === undefined || toSeconds !== undefined
      ? []
      : ([[`first_row + row_count > (${rowCount}) - ?::bigint`, ...place, newest]] as const)),
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
