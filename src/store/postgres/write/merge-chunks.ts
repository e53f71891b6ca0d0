import type { PoolClient } from 'pg'
import type { Statements } from '../connection.ts'
import type { AttemptRows } from './batch.ts'
import { copyIncoming, listed } from './incoming.ts'
import { chunkShape } from './shapes.ts'

const incoming = { name: 'incoming_chunk', shape: chunkShape }

const isSame = (table: string): string => `
  ${table}.task_id = incoming_chunk.task_id AND ${table}.part = incoming_chunk.part
  AND ${table}.first_row = incoming_chunk.first_row`

const replace = `
  WITH gone AS (
    DELETE FROM sample_chunk USING incoming_chunk
    WHERE ${isSame('sample_chunk')} AND sample_chunk.row_count < incoming_chunk.row_count
    RETURNING sample_chunk.row_count)
  SELECT coalesce(sum(row_count), 0) AS samples FROM gone`

const add = `
  WITH come AS (
    INSERT INTO sample_chunk (source_id, ${listed(chunkShape)})
    SELECT ?, ${listed(chunkShape)} FROM incoming_chunk
    WHERE NOT EXISTS (SELECT 1 FROM sample_chunk WHERE ${isSame('sample_chunk')})
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
      part: chunk.part,
      started_at: chunk.startedAt,
      from_seconds: chunk.fromSeconds,
      to_seconds: chunk.toSeconds,
      first_row: chunk.firstRow,
      row_count: chunk.rowCount,
      packed: new Uint8Array(chunk.packed),
    })),
  )
  if (rows.length === 0) return 0
  await copyIncoming(client, statements, incoming, rows)
  await statements.run(
    "DELETE FROM incoming_chunk WHERE started_at < greatest(kept_since('records'), kept_since('samples'))",
  )
  const samples = async (sql: string, ...values: number[]): Promise<number> =>
    Number((await statements.rows(sql, values))[0]?.['samples'] ?? 0)
  const gone = await samples(replace)
  return (await samples(add, sourceId)) - gone
}
