import type { AttemptStatus } from '../../model/outcome.ts'
import type { LedgerWatch } from '../../store/ledger/ledger-watch.ts'
import type { WatchedAttempt } from '../../store/ledger/records/live-row.ts'
import type { FollowedRow, LastDeviceRow } from '../../store/sqlite/followed-table.ts'
import type { FollowedAttempt, WrittenDeviceRow } from './followed-attempt.ts'
import type { LiveAttempts } from './live-attempts.ts'
import { SourceLost } from './source-lost.ts'
import type { SpoolSource } from './spool-source.ts'

/** So many rows before the first that is told are looked at: a counter may lag. */
export const rowsLookedBack = 128
/** So many attempts that are thought interrupted are asked for again: their owner may live after all. */
const mostInterrupted = 200
/** What may still become another status. */
const openStatuses = ['running', 'interrupted'] as const

/** How far the rows of an attempt were read in the ledger. */
interface Place {
  readonly attempt: FollowedAttempt
  /** What the ledger calls it, which may be behind. */
  status: AttemptStatus
  /** Rows in the ledger that were read, and the id of the last of them. */
  rows: number
  rowId: number
  deviceRows: number
  deviceRowId: number
}

/** What an attempt had written before anybody listened. */
interface RowsBefore {
  readonly last: readonly FollowedRow[]
  readonly count: number
  readonly devices: readonly LastDeviceRow[]
}

/** What the ledger says about attempts, and their samples in it. */
export class LedgerSource {
  readonly #ledger: LedgerWatch
  readonly #attempts: LiveAttempts
  readonly #spool: SpoolSource
  /** By the ids of attempts: those that run, and the latest that are thought interrupted. */
  readonly #places = new Map<number, Place>()
  /** Until all of it was read once: what runs now was running before. */
  #isFirst: boolean
  /** Those that were handed elsewhere and have not begun: nothing is told of them until they have. */
  readonly #waiting = new Set<number>()
  #newestAttempt: number | undefined
  #newestSample = -1
  #newestDeviceRow = -1

  /** `isFirst`: it was there before anybody listened. */
  constructor(ledger: LedgerWatch, attempts: LiveAttempts, spool: SpoolSource, isFirst: boolean) {
    this.#isFirst = isFirst
    this.#ledger = ledger
    this.#attempts = attempts
    this.#spool = spool
  }

  /** The id of an attempt that the ledger knows and whose end it does not. */
  idOf(attempt: FollowedAttempt): number | undefined {
    for (const [id, place] of this.#places) if (place.attempt === attempt) return id
    return undefined
  }

  /** To be called when the ledger has changed. */
  read(): void {
    this.#readEnded()
    this.#readBegun()
    this.#readRows()
    this.#forgetEnded()
  }

  #readBegun(): void {
    for (const one of this.#ledger.attempts([...this.#waiting])) this.#begin(one)
    const since = this.#newestAttempt
    // Asked before: what is added in between is read again, and known by its task.
    const newest = this.#ledger.newestAttemptId()
    if (since === newest) return
    const found = this.#isFirst ? this.#ledger.running() : this.#ledger.attemptsAfter(since ?? 0)
    for (const one of found) this.#begin(one)
    this.#newestAttempt = Math.max(newest, ...found.map(({ attemptId }) => attemptId))
    this.#isFirst = false
  }

  #begin(watched: WatchedAttempt): void {
    const { attemptId, facts, owner } = watched
    if (facts.status === 'waiting') this.#waiting.add(attemptId)
    else this.#waiting.delete(attemptId)
    if (facts.status === 'waiting') return
    if (facts.status !== 'running' && this.#spool.isPast(facts.taskId)) return
    if (this.#places.has(attemptId)) return
    const isOlder = this.#isFirst && this.#attempts.find(facts.taskId) === undefined
    // Asked before anything is learnt: where this fails, all of it is done again.
    const before = isOlder ? this.#rowsBefore(attemptId) : undefined
    const attempt = this.#attempts.learn(facts, owner, this.#isFirst)
    const { status } = facts
    const place = { attempt, status, rows: 0, rowId: 0, deviceRows: 0, deviceRowId: 0 }
    this.#places.set(attemptId, place)
    if (before !== undefined) this.#beginAfter(place, before)
  }

  #rowsBefore(attemptId: number): RowsBefore {
    return {
      last: this.#ledger.lastSamples(attemptId, rowsLookedBack),
      count: this.#ledger.countSamples(attemptId),
      devices: this.#ledger.lastDeviceRows(attemptId),
    }
  }

  #beginAfter(place: Place, { last, count, devices }: RowsBefore): void {
    place.rowId = last.at(-1)?.rowId ?? 0
    place.rows = count
    place.attempt.beginAfter(
      last.map(({ values }) => values),
      count,
    )
    place.deviceRowId = Math.max(0, ...devices.map(({ rowId }) => rowId))
    place.deviceRows = devices.reduce((sum, { length }) => sum + length, 0)
    place.attempt.beginAfterDevices(
      devices.map((row) => ({ ...this.#written(row), length: row.length })),
      place.deviceRows,
    )
  }

  #readEnded(): void {
    const ids = openStatuses.flatMap((status) => {
      const asked = [...this.#places].filter(([, place]) => place.status === status)
      return this.#ledger.noLonger(
        status,
        asked.map(([id]) => id),
      )
    })
    const found = this.#ledger.attempts(ids)
    if (found.length < ids.length) throw new SourceLost('an attempt that was followed is gone')
    for (const { attemptId, facts } of found) {
      const place = this.#places.get(attemptId)
      if (place === undefined) continue
      place.status = facts.status
      place.attempt.learn(facts)
    }
  }

  #readRows(): void {
    const samples = this.#ledger.samples.newestId()
    const deviceRows = this.#ledger.deviceRows.newestId()
    const hasSamples = samples !== this.#newestSample
    const hasDeviceRows = deviceRows !== this.#newestDeviceRow
    for (const [attemptId, place] of this.#places) {
      // The spool has all rows, and they come there first.
      if (this.#spool.tailOf(place.attempt.taskId) !== undefined) continue
      if (hasSamples || place.rowId === 0) this.#readSamples(attemptId, place)
      if (hasDeviceRows || place.deviceRowId === 0) this.#readDeviceRows(attemptId, place)
    }
    this.#newestSample = samples
    this.#newestDeviceRow = deviceRows
  }

  #readSamples(attemptId: number, place: Place): void {
    const found = this.#ledger.samplesAfter(attemptId, place.rowId)
    place.attempt.addRows(
      place.rows,
      found.map(({ values }) => values),
    )
    place.rows += found.length
    place.rowId = found.at(-1)?.rowId ?? place.rowId
  }

  #readDeviceRows(attemptId: number, place: Place): void {
    const found = this.#ledger.deviceRowsAfter(attemptId, place.deviceRowId)
    place.attempt.addDeviceRows(
      place.deviceRows,
      found.map((row) => this.#written(row)),
    )
    place.deviceRows += found.length
    place.deviceRowId = found.at(-1)?.rowId ?? place.deviceRowId
  }

  #written({ keys, values }: FollowedRow): WrittenDeviceRow {
    const [kind, id] = keys
    return { kind: String(kind), id: String(id), columns: this.#ledger.deviceRows.columns, values }
  }

  /** Of an attempt that is thought dead, a better end may still be told. */
  #forgetEnded(): void {
    const interrupted: number[] = []
    for (const [attemptId, { attempt, status }] of this.#places)
      if (status !== 'running' && status !== 'interrupted') this.#places.delete(attemptId)
      else if (!attempt.isRunning) interrupted.push(attemptId)
    for (const attemptId of interrupted.slice(0, -mostInterrupted)) this.#places.delete(attemptId)
  }
}
