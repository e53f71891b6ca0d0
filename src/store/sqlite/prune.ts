import type { PruneResult } from '../store.ts'
import type { Connection } from './connection.ts'
import { number } from './row.ts'

// A batch of this size holds the write lock for some 10 ms.
const samplesPerBatch = 5_000
const attemptsPerBatch = 100
const pagesPerBatch = 500

// Waiting writers look at the lock at most every 100 ms, so a gap is needed for one to find it free.
const pauseMilliseconds = 5

/** Deletes in small transactions, so that runners can write in between, then gives the space back. */
export function prune(connection: Connection, startedBefore: number): PruneResult {
  let attempts = 0
  let samples = 0
  for (;;) {
    const batch = connection.transaction(() => deleteBatch(connection, startedBefore))
    attempts += batch.attempts
    samples += batch.samples
    if (batch.attempts === 0 && batch.samples === 0) break
    pause()
  }
  if (attempts > 0) giveSpaceBack(connection)
  return { attempts, samples }
}

const oldest = `
  SELECT id, job_id FROM attempt WHERE started_at < ? AND status <> 'running'
  ORDER BY started_at LIMIT ?`
const deleteSamples =
  'DELETE FROM sample WHERE id IN (SELECT id FROM sample WHERE attempt_id = ? LIMIT ?)'
// A workflow's jobs stay: they are the workflow, whether they ran or not.
const deleteLoneJob = `
  DELETE FROM job WHERE id = ?1 AND workflow_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM attempt WHERE job_id = ?1)`

function deleteBatch(connection: Connection, startedBefore: number): PruneResult {
  let attempts = 0
  let samples = 0
  for (const row of connection.rows(oldest, startedBefore, attemptsPerBatch)) {
    const id = number(row, 'id')
    samples += connection.run(deleteSamples, id, samplesPerBatch - samples).changes
    if (samples >= samplesPerBatch) break
    attempts += connection.run('DELETE FROM attempt WHERE id = ?', id).changes
    connection.run(deleteLoneJob, number(row, 'job_id'))
  }
  return { attempts, samples }
}

/**
 * incremental_vacuum, not VACUUM: it frees the end of the file in steps, each a short transaction. The file
 * shrinks when the log is copied into it; PASSIVE does what it can of that without waiting for
 * readers, and whoever writes or closes next does the rest.
 */
export function giveSpaceBack(connection: Connection): void {
  let free = freePages(connection)
  while (free > 0) {
    connection.script(`PRAGMA incremental_vacuum(${pagesPerBatch})`)
    const left = freePages(connection)
    // An older or hand-made file without auto_vacuum keeps its free pages and uses them again.
    if (left >= free) break
    free = left
    pause()
  }
  connection.script('PRAGMA wal_checkpoint(PASSIVE)')
}

function freePages(connection: Connection): number {
  return number(connection.row('PRAGMA freelist_count') ?? {}, 'freelist_count')
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMilliseconds)
}
