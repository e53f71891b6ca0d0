import type { PoolClient } from 'pg'
import type { Bound, Statements } from '../connection.ts'
import type { AttemptRows } from './batch.ts'
import { copyIncoming, listed } from './incoming.ts'
import { chunkShape } from './shapes.ts'

/** Packed samples are as small as they get: stored as they are, as they will be in the end. */
const incoming = { name: 'incoming_chunk', shape: chunkShape, like: 'sample_chunk' }

const isSame = (table: string): string => `
  ${table}.task_id = incoming_chunk.task_id AND ${table}.part = incoming_chunk.part
  AND ${table}.first_row = incoming_chunk.first_row AND ${table}."user" = incoming_chunk."user"`

const replace = `
  WITH gone AS (
    DELETE FROM sample_chunk USING incoming_chunk
    WHERE ${isSame('sample_chunk')} AND sample_chunk.row_count < incoming_chunk.row_count
    RETURNING sample_chunk.row_count)
  SELECT coalesce(sum(row_count), 0) AS samples FROM gone`

const add = `
  WITH come AS (
    INSERT INTO sample_chunk (${listed(chunkShape)})
    SELECT ${listed(chunkShape)} FROM incoming_chunk
    WHERE incoming_chunk.task_id <> ALL (?)
      OR NOT EXISTS (SELECT 1 FROM sample_chunk WHERE ${isSame('sample_chunk')})
    RETURNING row_count)
  SELECT coalesce(sum(row_count), 0) AS samples FROM come`

/** Adds what is new of the samples; answers by how many rows there are more. */
export async function mergeChunks(
  client: PoolClient,
  statements: Statements,
  sourceId: number,
  attempts: readonly AttemptRows[],
): Promise<number> {
  const rows = attempts.flatMap(({ taskId, chunks }) =>
    chunks.map((chunk) => ({
      task_id: taskId,
      user: chunk.user,
      source_id: sourceId,
      part: chunk.part,
      started_at: chunk.startedAt,
      from_seconds: chunk.fromSeconds,
      to_seconds: chunk.toSeconds,
      first_row: chunk.firstRow,
      row_count: chunk.rowCount,
      packed: chunk.packed,
    })),
  )
  if (rows.length === 0) return 0
  await copyIncoming(client, statements, incoming, rows)
  const taskIds = [...new Set(rows.map((row) => row.task_id))]
  const begun = await tasksWithSamples(statements, taskIds)
  const samples = async (sql: string, ...values: Bound[]): Promise<number> =>
    Number((await statements.rows(sql, values))[0]?.['samples'] ?? 0)
  const gone = begun.length === 0 ? 0 : await samples(replace)
  return (await samples(add, begun)) - gone
}

async function tasksWithSamples(
  statements: Statements,
  taskIds: readonly string[],
): Promise<string[]> {
  const sql = 'SELECT DISTINCT task_id FROM sample_chunk WHERE task_id = ANY (?)'
  return (await statements.rows(sql, [taskIds])).map((row) => String(row['task_id']))
}
