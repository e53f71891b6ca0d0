import { Durations } from './durations.ts'
import type { Metrics } from './metric-names.ts'

/** How long batches took, and how long the loop waited for their data before them: since the last log, and in the epoch. */
export class BatchTimes {
  readonly #sinceLog = { batch: new Durations(), data: new Durations() }
  readonly #epoch = { batch: new Durations(), data: new Durations() }
  #startedAt: number | undefined
  /** When the last batch ended; undefined where what came since is not loading of data. */
  #endedAt: number | undefined

  /** The time until the first batch counts as loading of its data: workers that start take part of it. */
  startEpoch(now: number): void {
    this.clear()
    this.#endedAt = now
  }

  startBatch(now: number): void {
    if (this.#endedAt !== undefined) this.addData(now - this.#endedAt)
    this.#startedAt = now
  }

  /** Without a mark at its start, a batch began when the one before it ended. */
  endBatch(now: number): void {
    const from = this.#startedAt ?? this.#endedAt
    if (from !== undefined) this.addBatch(now - from)
    this.#startedAt = undefined
    this.#endedAt = now
  }

  /** Something else than training goes on, such as validation. */
  pause(): void {
    this.#startedAt = undefined
    this.#endedAt = undefined
  }

  addBatch(seconds: number): void {
    this.#sinceLog.batch.add(seconds)
    this.#epoch.batch.add(seconds)
  }

  addData(seconds: number): void {
    this.#sinceLog.data.add(seconds)
    this.#epoch.data.add(seconds)
  }

  /** Of the batches since it was last asked. */
  takeSinceLog(): Metrics {
    const metrics = timeMetrics(this.#sinceLog)
    this.#sinceLog.batch.clear()
    this.#sinceLog.data.clear()
    return metrics
  }

  /** Of the whole epoch so far. */
  ofEpoch(): { readonly batches: number; readonly metrics: Metrics } {
    return { batches: this.#epoch.batch.count, metrics: timeMetrics(this.#epoch) }
  }

  clear(): void {
    for (const { batch, data } of [this.#sinceLog, this.#epoch]) {
      batch.clear()
      data.clear()
    }
    this.pause()
  }
}

function timeMetrics({ batch, data }: { batch: Durations; data: Durations }): Metrics {
  const named = {
    batch_time_mean_ms: batch.meanMs,
    batch_time_p95_ms: batch.p95Ms,
    data_time_mean_ms: data.meanMs,
    data_time_p95_ms: data.p95Ms,
  }
  const known = Object.entries(named).filter((entry): entry is [string, number] => {
    return entry[1] !== undefined
  })
  return Object.fromEntries(known)
}
