import type { Statements } from '../connection.ts'
import { plainId } from './ids.ts'

export type LogStreamName = 'stdout' | 'stderr'

/** The files that an attempt prints to. */
export type LogPaths = Readonly<Record<LogStreamName, string>>

/** Of each stream of an attempt, so much of its end is kept. */
export const mostLogBytes = 1_048_576

export interface LogPiece {
  readonly taskId: string
  readonly stream: LogStreamName
  readonly fromByte: number
  readonly bytes: Buffer
}

/**
 * Keeps what attempts have printed, and lets go of what was printed long before. A piece that comes again changes nothing,
 * unless it has more: whoever heard no answer sends what was printed since with it, and the first one may have arrived.
 */
export async function keepLogs(statements: Statements, pieces: readonly LogPiece[]): Promise<void> {
  if (pieces.length === 0) return
  const columns = [
    pieces.map(({ taskId }) => taskId),
    pieces.map(({ stream }) => stream),
    pieces.map(({ fromByte }) => fromByte),
  ]
  await statements.run(
    `INSERT INTO queue_log (task_id, stream, from_byte, bytes)
     SELECT given.* FROM unnest(?::uuid[], ?::text[], ?::bigint[], ?::bytea[]) AS given (task_id, stream, from_byte, bytes)
     WHERE EXISTS (SELECT FROM queue_attempt attempt WHERE attempt.task_id = given.task_id)
     ON CONFLICT (task_id, stream, from_byte) DO UPDATE SET bytes = excluded.bytes
       WHERE length(excluded.bytes) > length(queue_log.bytes)`,
    [...columns, pieces.map(({ bytes }) => bytes)],
  )
  await statements.run(
    `DELETE FROM queue_log log USING unnest(?::uuid[], ?::text[], ?::bigint[]) AS given (task_id, stream, from_byte)
     WHERE log.task_id = given.task_id AND log.stream = given.stream
       AND log.from_byte + length(log.bytes) <= given.from_byte - ${mostLogBytes}`,
    columns,
  )
}

/** What was printed from a byte on, as far as it is kept. */
export async function readLogs(
  statements: Statements,
  taskId: string,
  stream: LogStreamName,
  fromByte: number,
): Promise<readonly LogPiece[]> {
  const rows = await statements.rows(
    `SELECT from_byte, bytes FROM queue_log WHERE task_id = ?::uuid AND stream = ? AND from_byte + length(bytes) > ?
     ORDER BY from_byte LIMIT 64`,
    [taskId, stream, fromByte],
  )
  return rows.map((row) => {
    const bytes = row['bytes'] as unknown as Buffer
    const from = Number(row['from_byte'])
    const skipped = Math.max(0, fromByte - from)
    return { taskId, stream, fromByte: from + skipped, bytes: bytes.subarray(skipped) }
  })
}

/** Those of these attempts that the queue knows, with how far each stream of them is kept. */
export async function keptBytes(
  statements: Statements,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<LogStreamName, number>>>> {
  if (taskIds.length === 0) return new Map()
  const end = (stream: LogStreamName): string =>
    `coalesce(max(from_byte + length(bytes)) FILTER (WHERE stream = '${stream}'), 0) AS ${stream}`
  const rows = await statements.rows(
    `SELECT attempt.task_id::text, ${end('stdout')}, ${end('stderr')}
     FROM queue_attempt attempt LEFT JOIN queue_log log ON log.task_id = attempt.task_id
     WHERE attempt.task_id = ANY(?::uuid[]) GROUP BY attempt.task_id`,
    [taskIds],
  )
  return new Map(
    rows.map((row) => [
      plainId(String(row['task_id'])),
      { stdout: Number(row['stdout']), stderr: Number(row['stderr']) },
    ]),
  )
}

/** The last of what an attempt has printed, as text. */
export async function logTail(
  statements: Statements,
  taskId: string,
  stream: LogStreamName,
  mostBytes: number,
): Promise<string> {
  const rows = await statements.rows(
    'SELECT bytes FROM queue_log WHERE task_id = ?::uuid AND stream = ? ORDER BY from_byte DESC LIMIT 64',
    [taskId, stream],
  )
  const pieces = rows.map((row) => row['bytes'] as unknown as Buffer).toReversed()
  return Buffer.concat(pieces).subarray(-mostBytes).toString('utf8')
}
