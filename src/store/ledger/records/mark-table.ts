import type { Mark } from '../../../model/marks/mark.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { markOf } from '../../sqlite/mark-row.ts'

const insert = `
  INSERT INTO mark (attempt_id, timestamp, elapsed_seconds, step, epoch, phase, message)
  VALUES (?, ?, ?, ?, ?, ?, ?)`

/** Keeps the marks of an attempt in the place of those that it had: to be called inside a transaction. */
export function keepMarks(connection: Connection, attemptId: number, marks: readonly Mark[]): void {
  connection.run('DELETE FROM mark WHERE attempt_id = ?', attemptId)
  for (const { timestamp, elapsedSeconds, step, epoch, phase, message } of marks)
    connection.run(insert, attemptId, timestamp, elapsedSeconds, step, epoch, phase, message)
}

export function marksOf(connection: Connection, taskId: string): Mark[] {
  return connection.mapSound(
    `SELECT mark.* FROM mark JOIN attempt ON attempt.id = mark.attempt_id
     WHERE task_id = ? ORDER BY mark.timestamp, mark.id`,
    [taskId],
    markOf,
  )
}
