import type { Bound, Database } from '../../store/postgres/connection.ts'
import { pruneQueue } from '../../store/postgres/queue/prune.ts'
import { connectTo } from './open-team.ts'

/** Months that records and samples are kept; null: for ever; undefined: as it was. */
export interface RetentionChange {
  readonly records?: number | null | undefined
  readonly samples?: number | null | undefined
}

const keep = `
  INSERT INTO retention (kind, months) VALUES (?, ?)
  ON CONFLICT (kind) DO UPDATE SET months = excluded.months`

/** Says how long the team keeps what, and drops what is older at once; answers how many tables that were. */
export async function changeRetention(
  database: Database,
  change: RetentionChange,
): Promise<number> {
  for (const kind of ['records', 'samples'] as const) {
    const months = change[kind]
    if (months === undefined) continue
    const values: readonly Bound[] = months === null ? [kind] : [kind, months]
    await database.run(months === null ? 'DELETE FROM retention WHERE kind = ?' : keep, values)
  }
  return dropExpired(database)
}

/** Drops what is older than the team wants to keep it, the queue's old jobs with it; answers how many tables that were. */
export async function dropExpired(database: Database): Promise<number> {
  const [row] = await database.rows('SELECT drop_expired() AS dropped')
  await pruneQueue(database)
  return Number(row?.['dropped'])
}

const monthsBefore = `
  SELECT relname AS month FROM pg_class JOIN pg_inherits ON inhrelid = oid
  WHERE inhparent IN ('attempt'::regclass, 'sample_chunk'::regclass)
    AND extract(epoch FROM month_in(relname) + interval '1 month') <= ?
  ORDER BY relname`

/** The tables of the months that ended before then. */
export async function tablesBefore(database: Database, before: number): Promise<string[]> {
  return (await database.rows(monthsBefore, [before])).map((row) => String(row['month']))
}

/** Drops all months that ended before then; answers how many tables that were. For administrators. */
export async function dropMonthsBefore(database: Database, before: number): Promise<number> {
  const sql = "SELECT drop_months('sample_chunk', ?) + drop_months('attempt', ?) AS dropped"
  const [row] = await database.rows(sql, [before, before])
  return Number(row?.['dropped'])
}

/** A minute or so for a million records, once a month; whoever comes meanwhile goes on without. */
const indexSeconds = 3600

/** Has the words of a month that is over indexed, where they are not; answers how many months that were. */
export async function indexWords(address: string): Promise<number> {
  const database = connectTo(address, { connections: 1, limitSeconds: indexSeconds })
  try {
    const [row] = await database.rows('SELECT index_words() AS indexed')
    return Number(row?.['indexed'])
  } finally {
    await database.close()
  }
}
