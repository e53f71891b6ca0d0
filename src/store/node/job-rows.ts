import type { LateWord, NodeJob, Scheduled } from '../../model/node-round.ts'
import type { Connection } from '../sqlite/connection.ts'
import { number } from '../sqlite/row.ts'
import { bucketOf, fiveMinutesMs, hourMs, type Place } from './buckets.ts'
import type { Names } from './names.ts'
import { amountColumns, cardColumns, peakColumns } from './node-schema.ts'
import type { AmountValues, PeakValues } from './round-values.ts'
import { upsertSql } from './upsert.ts'

const insertJob = `
  INSERT INTO job (host_id, epoch, kind, key, user_id, account_id, command_id, pid, started_ms, first_ms, last_ms, span_ms)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`
const addWords = `INSERT OR IGNORE INTO user_words (user_id, account_id, command_id) VALUES (?, ?, ?)`
/** By its user too: environments name jobs, and anybody can write another's id into theirs. */
const findJob = `SELECT id, user_id, command_id FROM job
  WHERE host_id = ? AND epoch = ? AND kind = ? AND key = ?
    AND user_id = (SELECT id FROM user WHERE name = ?)`
const askedColumns = ['asked_cpus', 'asked_memory_kib', 'asked_gpus', 'asked_seconds', 'asked_by']
const setAsked = `UPDATE job SET ${askedColumns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`
const setScheduled = `UPDATE job SET name = ?, shown_id = ?, restarts = coalesce(?, restarts) WHERE id = ?`
const setKeys = `UPDATE job SET user_id = ?, account_id = ?, command_id = ? WHERE id = ?`
const setGpus = `UPDATE job SET gpus = max(coalesce(gpus, 0), ?) WHERE id = ?`

const upsert = (table: string): string =>
  upsertSql({ table, keys: ['job_id', 'at_ms'], sums: ['span_ms'], hasPeaks: true })
export const jobTables = {
  raw: upsert('job_raw'),
  five: upsert('job_5m'),
  hour: upsert('job_hour'),
}

const total = (name: string): string =>
  `${name} = CASE WHEN ?1 IS NULL THEN ${name} ELSE coalesce(${name}, 0) + ?1 END`
/** As `toldSum` of the roll-ups has it: `?2` is the memory on cards of what is added. */
const cardTotal = (name: string): string =>
  `${name} = CASE WHEN ${name} IS NOT NULL AND ?1 IS NOT NULL THEN ${name} + ?1
    WHEN (${name} IS NULL AND gpu_memory_kib_ms IS NOT NULL) OR (?1 IS NULL AND ?2 IS NOT NULL)
      THEN nullif(coalesce(${name}, ?1), 0)
    ELSE coalesce(${name}, ?1) END`
const cardNames: readonly string[] = cardColumns
const memoryOnCards = amountColumns.indexOf('gpu_memory_kib_ms')
const peak = (name: string): string => `${name} = max(coalesce(${name}, ?1), coalesce(?1, ${name}))`
/** Takes the time of the round or, of the past, the times between which it was seen; then the span, amounts, peaks and id. */
const lifeSql = (times: string, first: number): string => `
  UPDATE job SET ${times}, span_ms = span_ms + ?${first},
  ${[
    ...amountColumns.map((name, index) =>
      (cardNames.includes(name) ? cardTotal : total)(name).replaceAll(/\?[12]/g, (place) =>
        place === '?1' ? `?${index + 1 + first}` : `?${memoryOnCards + 1 + first}`,
      ),
    ),
    ...peakColumns.map((name, index) =>
      peak(name).replaceAll('?1', `?${index + 1 + first + amountColumns.length}`),
    ),
  ].join(', ')}
  WHERE id = ?${1 + first + amountColumns.length + peakColumns.length}`
const addToLife = lifeSql('last_ms = ?1', 2)
/** The past may come in any order. */
export const addPastToLife = lifeSql('first_ms = min(first_ms, ?1), last_ms = max(last_ms, ?2)', 3)

/** What is known of a job apart from what it uses. */
export type JobFacts = Pick<
  NodeJob,
  | 'kind'
  | 'id'
  | 'user'
  | 'uid'
  | 'account'
  | 'command'
  | 'startedAt'
  | 'reservation'
  | 'scheduled'
  | 'gpus'
  | 'pid'
>

export interface JobRow {
  readonly id: number
  readonly keys: JobKeys
}

export type JobKeys = readonly [user: number, account: number, command: number]

/** Says that these are words of the user: nobody is shown others. */
export function addUserWords(connection: Connection, keys: JobKeys): void {
  connection.run(addWords, ...keys)
}

/** Says whose a job is. Always by this: a user is shown no job with words that are not theirs. */
export function nameJob(connection: Connection, jobId: number, keys: JobKeys): void {
  addUserWords(connection, keys)
  connection.run(setKeys, ...keys, jobId)
}

interface KnownJob extends JobRow {
  readonly asked: string
  readonly words: string
  seenMs: number
}

/** The rows of jobs: one each, with what they used in all their life, and one for each round, five minutes and hour. */
export class JobRows {
  readonly #connection: Connection
  readonly #names: Names
  readonly #known = new Map<string, KnownJob>()
  #timesUndone = 0

  constructor(connection: Connection, names: Names) {
    this.#connection = connection
    this.#names = names
  }

  /** Rows may have been deleted. */
  forget(): void {
    this.#known.clear()
  }

  /** Makes the row where there is none. */
  rowOf(job: JobFacts, epoch: string, place: Place): JobRow {
    this.#forgetUndone(place.atMs)
    const key = keyOf(place.hostId, epoch, job)
    const words = `${job.account ?? ''}\0${job.command}`
    const asked = JSON.stringify([job.reservation, job.scheduled])
    const known = this.#known.get(key)
    if (known?.words === words && known.asked === asked) {
      known.seenMs = place.atMs
      if (job.gpus !== null && job.gpus > 0) this.#connection.run(setGpus, job.gpus, known.id)
      return known
    }
    const keys = [
      this.#names.idOf('user', job.user),
      this.#names.idOf('account', job.account ?? ''),
      this.#names.idOf('command', job.command),
    ] as const
    const id = known?.id ?? this.#find(job, epoch, place, keys)
    nameJob(this.#connection, id, keys)
    if (job.reservation !== null) this.#connection.run(setAsked, ...askedValues(job), id)
    if (job.scheduled !== undefined) this.#setScheduled(job.scheduled, id)
    if (job.gpus !== null) this.#connection.run(setGpus, job.gpus, id)
    const row = { id, keys, asked, words, seenMs: place.atMs }
    this.#known.set(key, row)
    return row
  }

  /** What became known of a job that no round has any more. */
  tellLate(
    { kind, id, user, ...word }: LateWord,
    epoch: string,
    hostId: number,
  ): { readonly id: number; readonly accountId: number } | undefined {
    const row = this.#connection.row(findJob, hostId, epoch, kind, id, user)
    if (row === undefined) return undefined
    const rowId = number(row, 'id')
    this.#known.delete(keyOf(hostId, epoch, { kind, id, user }))
    if (word.reservation !== null) this.#connection.run(setAsked, ...askedValues(word), rowId)
    this.#setScheduled(word.scheduled, rowId)
    if (word.account === null) return undefined
    const accountId = this.#names.idOf('account', word.account)
    const keys = [number(row, 'user_id'), accountId, number(row, 'command_id')] as const
    nameJob(this.#connection, rowId, keys)
    return { id: rowId, accountId }
  }

  #setScheduled({ name, shownId, restarts }: Scheduled, rowId: number): void {
    this.#connection.run(setScheduled, name, shownId, restarts, rowId)
  }

  add(id: number, amounts: AmountValues, peaks: PeakValues, { atMs, spanMs }: Place): void {
    const values = [...Object.values(amounts), ...Object.values(peaks)]
    const { raw, five, hour } = jobTables
    this.#connection.prepare(raw).run(id, atMs, spanMs, ...values)
    this.#connection.prepare(five).run(id, bucketOf(atMs, fiveMinutesMs), spanMs, ...values)
    this.#connection.prepare(hour).run(id, bucketOf(atMs, hourMs), spanMs, ...values)
    this.#connection.prepare(addToLife).run(atMs, spanMs, ...values, id)
  }

  #find(
    { kind, id, pid, startedAt, user, uid }: JobFacts,
    epoch: string,
    { hostId, atMs, spanMs }: Place,
    keys: JobKeys,
  ): number {
    const known = (name: string) => this.#connection.row(findJob, hostId, epoch, kind, id, name)
    // Until the name of a user is learnt, the number stands for it.
    const row = known(user) ?? (uid === undefined ? undefined : known(String(uid)))
    if (row !== undefined) return number(row, 'id')
    const started = startedAt === null ? null : Math.round(startedAt * 1e3)
    const first = atMs - spanMs
    return this.#connection.run(
      insertJob,
      hostId,
      epoch,
      kind,
      id,
      ...keys,
      pid,
      started,
      first,
      atMs,
    ).lastId
  }

  #forgetUndone(atMs: number): void {
    if (this.#timesUndone !== this.#connection.timesUndone) this.forget()
    this.#timesUndone = this.#connection.timesUndone
    if (this.#known.size < mostKnown) return
    for (const [key, { seenMs }] of this.#known) if (seenMs < atMs) this.#known.delete(key)
  }
}

const keyOf = (
  hostId: number,
  epoch: string,
  { kind, id, user }: Pick<NodeJob, 'kind' | 'id' | 'user'>,
): string => `${hostId} ${epoch} ${kind} ${user}\0${id}`

/** Jobs that are over need not be remembered. */
const mostKnown = 20_000

function askedValues({ reservation }: Pick<NodeJob, 'reservation'>): (number | string | null)[] {
  if (reservation === null) return [null, null, null, null, null]
  const { cpus, memoryBytes, gpus, runtimeSeconds, source } = reservation
  const memory = memoryBytes === null ? null : Math.round(memoryBytes / 1024)
  return [cpus, memory, gpus, runtimeSeconds, source]
}
