import type { BriefKey, BriefRecord } from '../../../model/brief-record.ts'
import type { CountedAttempt, CountedAttempts } from '../../../model/counted-attempt.ts'
import type { JobInList, ListPlace } from '../../../model/listed-job.ts'
import type { Mark } from '../../../model/marks/mark.ts'
import type { OutcomeTally } from '../../../model/outcome-tally.ts'
import type { JobRecord } from '../../../model/record.ts'
import type { Columns, DeviceSeries, Series, SeriesColumns } from '../../../model/series.ts'
import type { JobsReader } from '../../ledger/ledger-reader.ts'
import { briefColumns, briefRecordOf } from '../../ledger/records/brief-row.ts'
import { countedAmong, countedBetween, countedOf } from '../../ledger/records/count-query.ts'
import { listedColumns, listedJobOf } from '../../ledger/records/listed-row.ts'
import { placed } from '../../ledger/records/page-query.ts'
import { conditionsOf, where } from '../../ledger/records/record-conditions.ts'
import {
  byPrefix,
  newestFirst,
  pageAfter,
  prefixRange,
  recordsPerPage,
} from '../../ledger/records/record-query.ts'
import { recordInRow, wholeRecord } from '../../ledger/records/record-row.ts'
import { byToolAndStatus, tallyIn } from '../../ledger/records/tally-query.ts'
import type { PageQuery, RecordOrder, RecordQuery } from '../../ledger/store.ts'
import type { SeriesQuery, TimeRange } from '../../series/series.ts'
import { number, type Row } from '../../sqlite/row.ts'
import { settledAttemptId } from '../settled-ids.ts'
import { postgresDialect } from './dialect.ts'
import type { Questions } from './questions.ts'
import { TeamSeries } from './team-series.ts'

const { attempts } = postgresDialect

/** Answers questions about all jobs of a team. */
export class TeamJobs implements JobsReader {
  readonly #questions: Questions
  readonly #series: TeamSeries

  constructor(questions: Questions) {
    this.#questions = questions
    this.#series = new TeamSeries(questions)
  }

  find(query: RecordQuery): Promise<JobRecord[]> {
    return this.#newest(wholeRecord(postgresDialect), query, recordInRow)
  }

  findBrief<Key extends BriefKey>(
    query: RecordQuery,
    keys: readonly Key[],
  ): Promise<BriefRecord<Key>[]> {
    const columns = briefColumns(keys, postgresDialect)
    return this.#newest(columns, query, (row) => briefRecordOf(row, keys))
  }

  /** Each page is a question of its own that goes on where the last one ended. */
  async *each(query: RecordQuery, order: RecordOrder): AsyncGenerator<readonly JobRecord[]> {
    const { sql, values, start } = pageAfter(query, order, postgresDialect)
    let left = query.limit ?? Infinity
    let place = start
    while (left > 0) {
      const size = Math.min(left, recordsPerPage)
      let seen = 0
      const given = [...values, ...place, size]
      const page = await this.#questions.mapSound(sql, given, (row) => {
        // Of those too that turn out to be damaged: the next page begins after them.
        seen += 1
        place = [number(row, 'started_at'), number(row, 'id')]
        return recordInRow(row)
      })
      if (page.length > 0) yield page
      if (seen < size) return
      left -= page.length
    }
  }

  page(query: PageQuery, after: ListPlace | null): Promise<JobInList[]> {
    return this.#firstSound(
      listedColumns(postgresDialect),
      placed(query, after, postgresDialect),
      listedJobOf,
    )
  }

  async count(query: RecordQuery): Promise<number> {
    const { conditions, values } = conditionsOf(query, postgresDialect)
    const sql = `SELECT count(*) AS found ${attempts} ${where(conditions)}`
    const [row] = await this.#questions.rows(sql, values)
    return row === undefined ? 0 : number(row, 'found')
  }

  async tally(owners?: readonly string[]): Promise<OutcomeTally[]> {
    const { sql, values } = byToolAndStatus(owners, postgresDialect)
    const found = await this.#questions.mapSound(sql, values, tallyIn)
    return found.sort(
      (one, other) => compared(one.tool, other.tool) || compared(one.status, other.status),
    )
  }

  /** Only those before which none can come any more. */
  async countedAfter(attemptId: number, limit: number): Promise<CountedAttempts> {
    const settled = await settledAttemptId(this.#questions)
    let lastId = attemptId
    let seen = 0
    const sql = countedBetween(postgresDialect)
    const found = await this.#questions.mapSound(sql, [attemptId, settled, limit], (row) => {
      seen += 1
      lastId = number(row, 'id')
      return countedOf(row)
    })
    return { attempts: found, lastId, isMore: seen === limit }
  }

  async countedById(attemptIds: readonly number[]): Promise<CountedAttempt[]> {
    if (attemptIds.length === 0) return []
    const sql = countedAmong(postgresDialect)
    return this.#questions.mapSound(sql, [JSON.stringify(attemptIds)], countedOf)
  }

  /**
   * Of several users who have sent a task of the same id, the first one comes first: ids are drawn by chance, so that others
   * know one only after it was told.
   */
  async findByPrefix(prefix: string): Promise<JobRecord[]> {
    const found = await this.#questions.mapSound(
      byPrefix(postgresDialect),
      prefixRange(prefix),
      (row) => ({ attemptId: number(row, 'id'), record: recordInRow(row) }),
    )
    return [...Map.groupBy(found, ({ record }) => record.taskId).values()].flatMap((same) =>
      same.toSorted((one, other) => one.attemptId - other.attemptId).map(({ record }) => record),
    )
  }

  async series(taskId: string, query: SeriesQuery = {}, user?: string): Promise<Series> {
    return this.#series.read(taskId, query, user)
  }

  async seriesColumns(
    taskId: string,
    columns: Columns,
    range: TimeRange = {},
    user?: string,
  ): Promise<SeriesColumns> {
    return this.#series.readColumns(taskId, columns, range, user)
  }

  async devices(
    taskId: string,
    range: TimeRange = {},
    user?: string,
  ): Promise<readonly DeviceSeries[]> {
    return this.#series.devices(taskId, range, user)
  }

  async marks(taskId: string, user?: string): Promise<readonly Mark[]> {
    return this.#series.marks(taskId, user)
  }

  #newest<T>(columns: string, query: RecordQuery, make: (row: Row) => T): Promise<T[]> {
    const { conditions, values } = conditionsOf(query, postgresDialect)
    if (query.limit !== undefined)
      return this.#firstSound(columns, { conditions, values, limit: query.limit }, make)
    const sql = `SELECT ${columns} ${attempts} ${where(conditions)} ${newestFirst}`
    return this.#questions.mapSound(sql, values, make)
  }

  /** The newest that can be read: those that are damaged take the place of none. */
  async #firstSound<T>(
    columns: string,
    { conditions, values, limit }: SomeAttempts,
    make: (row: Row) => T,
  ): Promise<T[]> {
    const found: T[] = []
    let place: readonly number[] = []
    for (let size = limit; ; size = recordsPerPage) {
      const after = place.length === 0 ? [] : ['(attempt.started_at, attempt.id) < (?, ?)']
      const sql = `
        SELECT ${columns}, attempt.started_at AS sorted_by, attempt.id AS then_by
        ${attempts} ${where([...conditions, ...after])} ${newestFirst} LIMIT ?`
      let seen = 0
      const page = await this.#questions.mapSound(sql, [...values, ...place, size], (row) => {
        seen += 1
        place = [number(row, 'sorted_by'), number(row, 'then_by')]
        return make(row)
      })
      found.push(...page.slice(0, limit - found.length))
      if (seen < size || found.length === limit) return found
    }
  }
}

interface SomeAttempts {
  readonly conditions: readonly string[]
  readonly values: readonly (string | number)[]
  readonly limit: number
}

/** As SQLite does, whatever the database sorts by. */
const compared = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other))
