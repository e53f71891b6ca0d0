import { GrowingSeries } from '../../analysis/series/growing-series.ts'
import { liveColumns, liveRow } from '../../analysis/series/live-columns.ts'
import type { LiveAttempt, LiveDeviceRows, LiveNews, LiveRow } from '../../model/live.ts'
import type { Owner } from '../../model/machine.ts'
import { sampleIndex, type SampleRow } from '../../model/sample.ts'
import type { Columns, Device } from '../../model/series.ts'
import { GrowingDevice, namedFigures } from './growing-device.ts'

/** A row of a device as it was written. */
export interface WrittenDeviceRow extends Device {
  readonly columns: Columns
  readonly values: Float64Array
}

/**
 * One attempt of which events tell. Its rows may be seen in several places, such as in the spool and then in the ledger:
 * each has its place in the series, by which it is told once.
 */
export class FollowedAttempt {
  readonly owner: Owner
  /** Whether it was running when somebody began to listen. */
  readonly isFound: boolean
  #facts: LiveAttempt
  #told: LiveAttempt | undefined
  #series: GrowingSeries
  readonly #devices = new Map<string, GrowingDevice>()
  #deviceRows = 0
  #lastTimestamp = 0
  /** What is to be told of its samples. */
  #firstRow: number | null | undefined
  #rows: LiveRow[] = []
  #newDevices: LiveDeviceRows[] = []

  constructor(facts: LiveAttempt, owner: Owner, isFound: boolean) {
    this.#facts = facts
    this.owner = owner
    this.isFound = isFound
    this.#series = new GrowingSeries(facts.machine.cores)
  }

  get taskId(): string {
    return this.#facts.taskId
  }

  get facts(): LiveAttempt {
    return this.#facts
  }

  get isRunning(): boolean {
    return this.#facts.status === 'running'
  }

  /** How many of its samples are known. */
  get rowCount(): number {
    return this.#series.length
  }

  /** The last time at which its owner is known to have written something about it. */
  get heardAt(): number {
    return Math.max(this.#facts.startedAt, this.#lastTimestamp)
  }

  /** What is known of it now. An end is not taken back by who has not heard of it yet, but by one that was really seen. */
  learn(facts: LiveAttempt): void {
    this.#facts =
      facts.status === 'running' && !this.isRunning ? withNumbers(this.#facts, facts) : facts
  }

  /** Rows that were written before somebody began to listen: the last of so many. */
  beginAfter(lastRows: readonly SampleRow[], length: number): void {
    this.#series.beginAfter(lastRows, length)
    this.#hear(lastRows)
  }

  /** The same for rows of its devices. */
  beginAfterDevices(
    devices: readonly (WrittenDeviceRow & { readonly length: number })[],
    length: number,
  ): void {
    this.#deviceRows = length
    for (const { kind, id, columns, values, length: ofDevice } of devices)
      this.#devices.set(
        keyOf(kind, id),
        new GrowingDevice({ kind, id }, ofDevice, namedFigures(columns, values)),
      )
  }

  /** Rows of the series from this one on, of which some may be known. */
  addRows(firstRow: number, rows: readonly SampleRow[]): void {
    const fresh = rows.slice(Math.max(0, this.#series.length - firstRow))
    if (fresh.length === 0) return
    this.#hear(fresh)
    const growth = this.#series.add(fresh)
    if (growth.firstRow === null || this.#firstRow === null) {
      this.#firstRow = null
      this.#rows = []
      return
    }
    this.#firstRow ??= growth.firstRow
    const kept = this.#rows.slice(0, Math.max(0, growth.firstRow - this.#firstRow))
    this.#firstRow = Math.min(this.#firstRow, growth.firstRow)
    this.#rows = [...kept, ...growth.points.map(liveRow)]
  }

  /** The same for rows of devices, counted over all of them as they were written. */
  addDeviceRows(firstRow: number, rows: readonly WrittenDeviceRow[]): void {
    const fresh = rows.slice(Math.max(0, this.#deviceRows - firstRow))
    this.#deviceRows += fresh.length
    const shown = fresh.filter(({ kind }) => kind !== 'thread')
    for (const [key, ofDevice] of Map.groupBy(shown, ({ kind, id }) => keyOf(kind, id))) {
      const [first] = ofDevice
      if (first === undefined) continue
      const known = this.#devices.get(key) ?? new GrowingDevice({ kind: first.kind, id: first.id })
      this.#devices.set(key, known)
      this.#newDevices.push(
        known.add(ofDevice.map(({ columns, values }) => namedFigures(columns, values))),
      )
    }
  }

  get deviceRowCount(): number {
    return this.#deviceRows
  }

  /** What there is to tell since this was last asked. */
  news(): readonly LiveNews[] {
    if (this.#told === this.#facts && this.#firstRow === undefined && this.#newDevices.length === 0)
      return nothing
    const news: LiveNews[] = []
    const { user } = this.#facts
    const tell = (change: 'found' | 'began' | 'changed' | 'ended', attempt: LiveAttempt): void => {
      news.push({ kind: 'attempt', user, change, attempt })
      this.#told = attempt
    }
    // One that is seen for the first time when it has ended began all the same.
    if (this.#told === undefined) tell(this.isFound ? 'found' : 'began', asItBegan(this.#facts))
    news.push(...this.#samplesEvents())
    const told = this.#told
    if (told === undefined || isSame(told, this.#facts)) {
      this.#told = this.#facts
      return news
    }
    const hasEnded = told.status === 'running' && !this.isRunning
    tell(hasEnded ? 'ended' : 'changed', this.#facts)
    return news
  }

  /** It has ended: no more samples come. */
  forgetRows(): void {
    const { length } = this.#series
    this.#series = new GrowingSeries(this.#facts.machine.cores)
    this.#series.beginAfter([], length)
    this.#devices.clear()
  }

  #samplesEvents(): LiveNews[] {
    const [firstRow, rows, devices] = [this.#firstRow, this.#rows, this.#newDevices]
    if (firstRow === undefined && devices.length === 0) return []
    this.#firstRow = undefined
    this.#rows = []
    this.#newDevices = []
    return [
      {
        kind: 'samples',
        user: this.#facts.user,
        taskId: this.taskId,
        columns: liveColumns,
        firstRow: firstRow === undefined ? this.#series.length : firstRow,
        rows,
        devices,
      },
    ]
  }

  #hear(rows: readonly SampleRow[]): void {
    const timestamp = rows.at(-1)?.[sampleIndex.timestamp] ?? 0
    if (timestamp > this.#lastTimestamp) this.#lastTimestamp = timestamp
  }
}

const nothing: readonly LiveNews[] = []

const keyOf = (kind: string, id: string): string => `${kind} ${id}`

/** Only the ledger gives numbers, and it may hear of the end later than we did. */
const withNumbers = (facts: LiveAttempt, from: LiveAttempt): LiveAttempt => ({
  ...facts,
  jobId: from.jobId,
  attempt: from.attempt,
  workflowId: from.workflowId,
  runId: from.runId,
})

const asItBegan = (facts: LiveAttempt): LiveAttempt =>
  facts.status === 'running'
    ? facts
    : {
        ...facts,
        status: 'running',
        endedAt: null,
        durationSeconds: null,
        exitCode: null,
        signal: null,
        reason: null,
        usage: unknownUsage(facts.usage),
      }

const unknownUsage = <T extends object>(usage: T): T =>
  Object.fromEntries(Object.keys(usage).map((key) => [key, { value: null }])) as T

const isSame = (one: LiveAttempt, other: LiveAttempt): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
