import type { PrunableCommands, PruneResult } from './store.ts'
import type { Connection } from '../sqlite/connection.ts'
import { keptDeviceRows, keptSamples } from './ledger-series.ts'
import { dropUnusedForms } from './records/usage-table.ts'
import { number } from '../sqlite/row.ts'
import { attemptBytes, jobBytes, sampleBytes } from './stored-bytes.ts'

// A batch of this size holds the write lock for some 10 ms.
const samplesPerBatch = 5_000
const attemptsPerBatch = 100
const pagesPerBatch = 500

// Waiting writers look at the lock at most every 100 ms, so a gap is needed for one to find it free.
const pauseMilliseconds = 5

// Attempts of workflows stay: a workflow goes whole, or not at all. So do the runs of baselines: they are kept to be
// compared with.
const old = `
  FROM attempt JOIN job ON job.id = attempt.job_id
  WHERE attempt.started_at < ? AND attempt.status <> 'running' AND job.workflow_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM benchmark_run JOIN baseline USING (benchmark_id)
      WHERE benchmark_run.task_id = attempt.task_id)`
const count = `
  SELECT count(*) AS attempts, total(${attemptBytes} + ${jobBytes}) AS bytes,
    total(${keptSamples} + ${keptDeviceRows}) AS samples ${old}`
const list = `SELECT attempt.id, attempt.job_id ${old} ORDER BY attempt.started_at`

/** What `prune` would delete. */
export function prunable(connection: Connection, startedBefore: number): PrunableCommands {
  const row = connection.row(count, startedBefore) ?? {}
  const samples = number(row, 'samples')
  return {
    attempts: number(row, 'attempts'),
    samples,
    bytes: number(row, 'bytes') + samples * sampleBytes,
  }
}

/** Deletes in small transactions, so that runners can write in between, then gives the space back. */
export function prune(connection: Connection, startedBefore: number): PruneResult {
  const doomed = connection.map(list, [startedBefore], (row) => ({
    attemptId: number(row, 'id'),
    jobId: number(row, 'job_id'),
  }))
  let attempts = 0
  let samples = 0
  for (let next = 0; next < doomed.length;) {
    const batch = connection.transaction(() =>
      deleteBatch(connection, doomed.slice(next, next + attemptsPerBatch)),
    )
    attempts += batch.attempts
    samples += batch.samples
    next += batch.done
    pause()
  }
  connection.run(deleteEmptyBenchmarks, startedBefore)
  if (attempts > 0) giveSpaceBack(connection)
  return { attempts, samples }
}

const deleteEmptyBenchmarks = `
  DELETE FROM benchmark WHERE started_at < ?
    AND NOT EXISTS (SELECT 1 FROM baseline WHERE benchmark_id = benchmark.id)
    AND NOT EXISTS (SELECT 1 FROM benchmark_run JOIN attempt USING (task_id)
      WHERE benchmark_id = benchmark.id)`

interface DoomedAttempt {
  readonly attemptId: number
  readonly jobId: number
}

const deleteSome = ['sample', 'device_sample'].map(
  (table) =>
    `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE attempt_id = ? LIMIT ?)`,
)
const deleteLoneJob = `
  DELETE FROM job WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM attempt WHERE job_id = ?1)`

/** As many of them as a batch may hold; one with many samples takes several batches. */
function deleteBatch(
  connection: Connection,
  doomed: readonly DoomedAttempt[],
): PruneResult & { readonly done: number } {
  let attempts = 0
  let samples = 0
  let done = 0
  for (const { attemptId, jobId } of doomed) {
    for (const sql of deleteSome)
      samples += connection.run(sql, attemptId, samplesPerBatch - samples).changes
    if (samples >= samplesPerBatch) break
    attempts += connection.run('DELETE FROM attempt WHERE id = ?', attemptId).changes
    connection.run(deleteLoneJob, jobId)
    done += 1
  }
  return { attempts, samples, done }
}

/** Deletes the samples of attempts in small transactions. */
export function deleteSamples(connection: Connection, attemptIds: readonly number[]): void {
  for (const attemptId of attemptIds)
    for (const sql of deleteSome)
      while (connection.run(sql, attemptId, samplesPerBatch).changes === samplesPerBatch) pause()
}

/**
 * incremental_vacuum, not VACUUM: it frees the end of the file in steps, each a short transaction. The file
 * shrinks when the log is copied into it; PASSIVE does what it can of that without waiting for
 * readers, and whoever writes or closes next does the rest.
 */
export function giveSpaceBack(connection: Connection): void {
  dropUnusedForms(connection)
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
