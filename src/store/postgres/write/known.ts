import type { Database } from '../connection.ts'

/** What the team has of a source, as far as it may still change. */
export interface Known {
  /** Attempts whose end is not known, or was not seen; the newest of them. */
  readonly unfinished: readonly KnownAttempt[]
  /** The marks of workflows and benchmarks, by their numbers in the local ledger. */
  readonly workflows: ReadonlyMap<number, string>
  readonly benchmarks: ReadonlyMap<number, string>
}

export interface KnownAttempt {
  readonly taskId: string
  readonly status: string
  readonly samples: number
  readonly deviceRows: number
}

/** One whose end nobody saw may still be told by its owner; not after so many others. */
const mostUnfinished = 5000

const unfinished = `
  SELECT task_id, status, coalesce(samples, 0) AS samples, coalesce(device_rows, 0) AS device_rows
  FROM (
    SELECT id, task_id, "user", status FROM attempt
    WHERE source_id = ? AND status IN ('running', 'interrupted') ORDER BY id DESC LIMIT ${mostUnfinished}) AS open
  LEFT JOIN LATERAL (
    SELECT max(first_row + row_count) FILTER (WHERE part = 'sample') AS samples,
      max(first_row + row_count) FILTER (WHERE part = 'device') AS device_rows
    FROM sample_chunk WHERE sample_chunk.task_id = open.task_id AND sample_chunk."user" = open."user") AS sent ON true
  ORDER BY id`

export async function knownOf(database: Database, sourceId: number): Promise<Known> {
  const rows = await database.rows(unfinished, [sourceId])
  return {
    unfinished: rows.map((row) => ({
      taskId: String(row['task_id']),
      status: String(row['status']),
      samples: Number(row['samples']),
      deviceRows: Number(row['device_rows']),
    })),
    workflows: await marksOf(database, 'workflow', sourceId),
    benchmarks: await marksOf(database, 'benchmark', sourceId),
  }
}

async function marksOf(
  database: Database,
  table: 'workflow' | 'benchmark',
  sourceId: number,
): Promise<Map<number, string>> {
  const sql = `SELECT source_${table}_id AS id, sent_mark FROM ${table} WHERE source_id = ?`
  const rows = await database.rows(sql, [sourceId])
  return new Map(rows.map((row) => [Number(row['id']), String(row['sent_mark'])]))
}
