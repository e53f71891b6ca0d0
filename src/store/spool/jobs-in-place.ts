import type { Owner } from '../../model/machine.ts'
import type { JobRecord } from '../../model/record.ts'
import { sampleIndex, sampleWidth, type SampleRow } from '../../model/sample.ts'
import { emptyUsage } from '../../model/usage.ts'
import { interruptedEnd, runnerKilled } from '../interrupted.ts'
import type {
  AttemptEnd,
  AttemptRef,
  AttemptStart,
  PruneResult,
  RecordQuery,
  RunningAttempt,
  SpooledAttempt,
  Store,
} from '../store.ts'

/**
 * The records of a ledger together with those that wait in its spool and cannot be taken in just now: a full disk or a
 * ledger that is not ours to write must not keep people from what is there. Writing is left to the ledger.
 */
export class JobsInPlace implements Store {
  readonly #store: Store
  readonly #waiting: ReadonlyMap<string, SpooledAttempt>
  readonly #isDead: (owner: Owner) => boolean

  constructor(store: Store, waiting: readonly SpooledAttempt[], isDead: (owner: Owner) => boolean) {
    this.#store = store
    this.#isDead = isDead
    // The end is the last thing that is written: where a file was moved to another place, it is in the later one.
    const byTask = new Map<string, SpooledAttempt>()
    for (const attempt of waiting)
      if ((byTask.get(attempt.start.taskId)?.end ?? null) === null)
        byTask.set(attempt.start.taskId, attempt)
    this.#waiting = byTask
  }

  find({ limit, tool, status, startedSince }: RecordQuery): JobRecord[] {
    const among = {
      ...(tool === undefined ? {} : { tool }),
      ...(startedSince === undefined ? {} : { startedSince }),
    }
    const waiting = this.#newer(({ taskId }) => this.#store.findByPrefix(taskId)[0]).filter(
      (record) =>
        (tool === undefined || record.tool === tool) &&
        (startedSince === undefined || record.startedAt >= startedSince),
    )
    return merged(this.#store.find(among), waiting)
      .map((record) => this.#asItStands(record))
      .filter((record) => status === undefined || record.status === status)
      .slice(0, limit)
  }

  findByPrefix(prefix: string): JobRecord[] {
    const kept = this.#store.findByPrefix(prefix)
    const byTask = new Map(kept.map((record) => [record.taskId, record]))
    const waiting = this.#newer(({ taskId }) => byTask.get(taskId))
    return merged(
      kept,
      waiting.filter(({ taskId }) => taskId.startsWith(prefix)),
    ).map((record) => this.#asItStands(record))
  }

  samples(taskId: string): SampleRow[] {
    const kept = this.#store.samples(taskId)
    const waiting = this.#waiting.get(taskId)
    if (waiting === undefined) return kept
    const { rows, count, samplesBefore = 0 } = waiting
    const more = Array.from({ length: count }, (_, row) =>
      rows.subarray(row * sampleWidth, (row + 1) * sampleWidth),
    )
    return [...kept, ...more.slice(Math.max(0, kept.length - samplesBefore))]
  }

  running(): RunningAttempt[] {
    return this.#store.running()
  }

  begin(start: AttemptStart): AttemptRef {
    return this.#store.begin(start)
  }

  addSamples(attempt: AttemptRef, rows: Float64Array, count: number): void {
    this.#store.addSamples(attempt, rows, count)
  }

  finish(attempt: AttemptRef, end: AttemptEnd): void {
    this.#store.finish(attempt, end)
  }

  adopt(attempt: SpooledAttempt): AttemptRef {
    return this.#store.adopt(attempt)
  }

  interrupt(taskId: string, reason: string): boolean {
    return this.#store.interrupt(taskId, reason)
  }

  prune(startedBefore: number): PruneResult {
    return this.#store.prune(startedBefore)
  }

  close(): void {
    this.#store.close()
  }

  /** Nobody can mark it in the ledger now that its runner is dead. */
  #asItStands(record: JobRecord): JobRecord {
    if (record.status !== 'running' || !this.#isDead(record.owner)) return record
    const samples = this.samples(record.taskId)
    const memory = samples.map((row) => row[sampleIndex.memory_bytes] ?? Number.NaN)
    const end = interruptedEnd({
      startedAt: record.startedAt,
      lastSample: samples.at(-1) ?? null,
      memoryPeakBytes: memory.reduce(
        (most, one) => (one > most ? one : most),
        Number.NEGATIVE_INFINITY,
      ),
    })
    return { ...record, ...end, status: 'interrupted', reason: runnerKilled }
  }

  /** What waits and tells more than the ledger does. */
  #newer(kept: (start: AttemptStart) => JobRecord | undefined): JobRecord[] {
    return [...this.#waiting.values()].flatMap((attempt) => {
      const known = kept(attempt.start)
      const isOpen = known?.status === 'running' || known?.status === 'interrupted'
      return known !== undefined && (!isOpen || attempt.end === null)
        ? []
        : [recordOf(attempt, known?.jobId ?? null)]
    })
  }
}

/** Newest first; of two of the same task, the one that waits. */
function merged(kept: readonly JobRecord[], waiting: readonly JobRecord[]): JobRecord[] {
  const replaced = new Set(waiting.map(({ taskId }) => taskId))
  return [...waiting, ...kept.filter(({ taskId }) => !replaced.has(taskId))].toSorted(
    (one, other) => other.startedAt - one.startedAt,
  )
}

const notEndedYet = emptyUsage('the job has not ended yet')

/** A number is given by the ledger alone. */
function recordOf({ start, count, end }: SpooledAttempt, jobId: number | null): JobRecord {
  const { job, taskId, user, machine, owner, startedAt, intervalSeconds } = start
  const facts = { ...job, taskId, user, machine, owner, startedAt, jobId, attempt: 1 }
  if (end === null)
    return {
      ...facts,
      endedAt: null,
      durationSeconds: null,
      status: 'running',
      exitCode: null,
      signal: null,
      reason: null,
      stragglers: [],
      usage: notEndedYet,
      samples: { collected: count, intervalSeconds, late: 0, ownCpuSeconds: null },
    }
  const { outcome, ...rest } = end
  return { ...facts, ...rest, ...outcome }
}
