import type { Columns } from '../../model/series.ts'
import type { BriefKey, BriefRecord } from '../../model/brief-record.ts'
import type { CountedAttempt, CountedAttempts } from '../../model/counted-attempt.ts'
import { comparePlaces, type JobInList, type ListPlace } from '../../model/listed-job.ts'
import type { OutcomeTally } from '../../model/outcome-tally.ts'
import type { Mark } from '../../model/marks/mark.ts'
import type { JobRecord } from '../../model/record.ts'
import { sampleIndex } from '../../model/sample.ts'
import { emptyUsage } from '../../model/usage.ts'
import { interruptedEnd, killedReason, remainsOf } from '../ledger/interrupted.ts'
import type { LastSeen } from './last-seen.ts'
import type {
  AttemptEnd,
  AttemptRef,
  AttemptStart,
  PageQuery,
  PrunableCommands,
  PruneResult,
  RecordOrder,
  RecordOrigin,
  RecordQuery,
  RunningAttempt,
  SpooledAttempt,
  Store,
} from '../ledger/store.ts'
import type { SeriesReader, SeriesWriter } from '../series/series.ts'
import { matches, merged, tallied, type ChangedRecord } from './in-place-query.ts'
import { listed } from './listed-in-place.ts'
import type { OwnerLives } from './owner-lives.ts'
import type { SeenByOwners } from './seen-by-owners.ts'
import { withWaiting } from './spooled-series.ts'

/**
 * The records of a ledger together with those that wait in its spool and cannot be taken in just now: a full disk or a
 * ledger that is not ours to write must not keep people from what is there. Writing is left to the ledger.
 */
export class JobsInPlace implements Store {
  readonly #store: Store
  readonly #waiting: ReadonlyMap<string, SpooledAttempt>
  readonly #owners: OwnerLives
  readonly #seen: Pick<SeenByOwners, 'of'>

  constructor(
    store: Store,
    waiting: readonly SpooledAttempt[],
    owners: OwnerLives,
    seen: Pick<SeenByOwners, 'of'>,
  ) {
    this.#store = store
    this.#owners = owners
    this.#seen = seen
    // The end is the last thing that is written: where a file was moved to another place, it is in the later one.
    const byTask = new Map<string, SpooledAttempt>()
    for (const attempt of waiting)
      if ((byTask.get(attempt.start.taskId)?.end ?? null) === null)
        byTask.set(attempt.start.taskId, attempt)
    this.#waiting = byTask
  }

  find(query: RecordQuery): JobRecord[] {
    const changed = this.#changed()
    const kept = this.#store.find(allowingFor(changed, query))
    return [...merged(kept, changed, query, 'newest first')]
  }

  each(query: RecordQuery, order: RecordOrder): Iterable<JobRecord> {
    const changed = this.#changed()
    return merged(this.#store.each(allowingFor(changed, query), order), changed, query, order)
  }

  findBrief<Key extends BriefKey>(query: RecordQuery, keys: readonly Key[]): BriefRecord<Key>[] {
    return this.#changed().size === 0 ? this.#store.findBrief(query, keys) : this.find(query)
  }

  page(query: PageQuery, after: ListPlace | null): JobInList[] {
    const changed = this.#changed()
    const more = { ...query, limit: query.limit + changed.size }
    const kept = this.#store.page(more, after).filter(({ job }) => !changed.has(job.taskId))
    const others = [...changed.values()]
      .filter((one) => matches(one, query))
      .map(({ record }) => listed(record, this.#inList(record)))
      .filter(({ place }) => after === null || comparePlaces(after, place) < 0)
    return [...kept, ...others]
      .toSorted((one, other) => comparePlaces(one.place, other.place))
      .slice(0, query.limit)
  }

  /** How the ledger lists it, where it is in the ledger. */
  #inList({ jobId, taskId }: JobRecord): JobInList | undefined {
    if (jobId === null) return undefined
    const attempts = this.#store.page({ jobId, limit: Number.MAX_SAFE_INTEGER }, null)
    return attempts.find(({ job }) => job.taskId === taskId)
  }

  count(query: RecordQuery): number {
    if (this.#changed().size === 0) return this.#store.count(query)
    return this.find({ ...query, limit: Number.MAX_SAFE_INTEGER }).length
  }

  tally(owners?: readonly string[]): OutcomeTally[] {
    const query = owners === undefined ? {} : { owners }
    return this.#changed().size === 0
      ? this.#store.tally(owners)
      : tallied(this.each(query, 'newest first'))
  }

  /** What waits has no id yet. It is counted once it is in the ledger. */
  countedAfter(attemptId: number, limit: number): CountedAttempts {
    return this.#store.countedAfter(attemptId, limit)
  }

  countedById(attemptIds: readonly number[]): CountedAttempt[] {
    return this.#store.countedById(attemptIds)
  }

  findByPrefix(prefix: string): JobRecord[] {
    const changed = [...this.#changed()].filter(([taskId]) => taskId.startsWith(prefix))
    return [...merged(this.#store.findByPrefix(prefix), new Map(changed), {}, 'newest first')]
  }

  series(taskId: string): SeriesReader {
    const kept = this.#store.series(taskId)
    const waiting = this.#waiting.get(taskId)
    return waiting === undefined ? kept : withWaiting(kept, waiting)
  }

  marks(taskId: string): readonly Mark[] {
    return this.#waiting.get(taskId)?.end?.marks ?? this.#store.marks(taskId)
  }

  addMarks(taskId: string, marks: readonly Mark[]): void {
    this.#store.addMarks(taskId, marks)
  }

  running(): RunningAttempt[] {
    return this.#store.running()
  }

  begin(start: AttemptStart): AttemptRef {
    return this.#store.begin(start)
  }

  writer(attempt: AttemptRef, columns?: Columns): SeriesWriter {
    return this.#store.writer(attempt, columns)
  }

  finish(attempt: AttemptRef, end: AttemptEnd): void {
    this.#store.finish(attempt, end)
  }

  adopt(attempt: SpooledAttempt): AttemptRef {
    return this.#store.adopt(attempt)
  }

  interrupt(taskId: string, reason: string, seen?: LastSeen): boolean {
    return this.#store.interrupt(taskId, reason, seen)
  }

  noteNothingLeft(attempt: AttemptRef): void {
    this.#store.noteNothingLeft(attempt)
  }

  /** Attempts of workflows that the ledger has as running though their runner is dead, as they stand. */
  interruptedInWorkflows(): JobRecord[] {
    return this.#interrupted('workflow')
  }

  prune(startedBefore: number): PruneResult {
    return this.#store.prune(startedBefore)
  }

  prunable(startedBefore: number): PrunableCommands {
    return this.#store.prunable(startedBefore)
  }

  close(): void {
    this.#store.close()
  }

  /** The records, by task, that are not as the ledger has them, or not in it at all: a few of however many it holds. */
  #changed(): ReadonlyMap<string, ChangedRecord> {
    const changed = new Map<string, ChangedRecord>()
    for (const attempt of this.#waiting.values()) {
      const record = this.#newerThanKept(attempt)
      if (record === undefined) continue
      // Runners of workflows write to the ledger itself.
      changed.set(record.taskId, { record: this.#asItStands(record), origin: 'command' })
    }
    for (const origin of ['command', 'workflow'] as const)
      for (const record of this.#interrupted(origin))
        if (!changed.has(record.taskId)) changed.set(record.taskId, { record, origin })
    return changed
  }

  /** What the ledger has as running though its runner is dead. */
  #interrupted(origin: RecordOrigin): JobRecord[] {
    const elsewhere = new Set(
      this.#store.running().flatMap(({ taskId, isElsewhere }) => (isElsewhere ? [taskId] : [])),
    )
    return this.#store.find({ status: 'running', origin }).flatMap((record) => {
      if (elsewhere.has(record.taskId)) return []
      const stands = this.#asItStands(record)
      return stands === record ? [] : [stands]
    })
  }

  /** What waits, where it tells more than the ledger does. */
  #newerThanKept(attempt: SpooledAttempt): JobRecord | undefined {
    const { taskId } = attempt.start
    const known = this.#store.findByPrefix(taskId).find((record) => record.taskId === taskId)
    const isOpen = known?.status === 'running' || known?.status === 'interrupted'
    return known !== undefined && (!isOpen || attempt.end === null)
      ? undefined
      : waitingRecord(attempt, known?.jobId ?? null)
  }

  /** Nobody can mark it in the ledger now that its runner is dead. */
  #asItStands(record: JobRecord): JobRecord {
    if (record.status !== 'running') return record
    const samples = this.series(record.taskId).read().rows
    const lastSample = samples.at(-1) ?? null
    const heardAt = lastSample?.[sampleIndex.timestamp] ?? 0
    if (!this.#owners.isDead(record.owner, Math.max(record.startedAt, heardAt || 0))) return record
    const seen = this.#seen.of(record.taskId, record.owner)
    const end = interruptedEnd(remainsOf(record.startedAt, samples), seen)
    const collected = samples.length === 0 ? (seen?.samples ?? 0) : record.samples.collected
    return {
      ...record,
      ...end,
      samples: { ...record.samples, collected },
      status: 'interrupted',
      reason: killedReason,
    }
  }
}

/** So many of the ledger's answer may be replaced by others. */
const allowingFor = (
  { size }: ReadonlyMap<string, ChangedRecord>,
  query: RecordQuery,
): RecordQuery =>
  query.limit === undefined
    ? query
    : { ...query, limit: Math.min(query.limit + size, Number.MAX_SAFE_INTEGER) }

const notEndedYet = emptyUsage('the job has not ended yet')

/** A number is given by the ledger alone. */
function waitingRecord({ start, count, end }: SpooledAttempt, jobId: number | null): JobRecord {
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
  const { endedAt, durationSeconds, usage, samples, outcome } = end
  const began = end.startedAt ?? startedAt
  return { ...facts, startedAt: began, endedAt, durationSeconds, usage, samples, ...outcome }
}
