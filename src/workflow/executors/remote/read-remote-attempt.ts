import { sampleNames } from '../../../model/sample.ts'
import type { Machine } from '../../../model/machine.ts'
import { interruptedEnd } from '../../../store/ledger/interrupted.ts'
import type { AttemptEnd, AttemptStart } from '../../../store/ledger/store.ts'
import { SpoolTail, type SpoolGrowth } from '../../../store/spool/spool-tail.ts'
import type { Clock } from '../../../system/system.ts'
import type { AttemptResult, ExecutorListener, LiveFigures } from '../../run/executor.ts'
import type { AttemptFolder, Claim } from './attempt-folder.ts'

/** How an attempt stands, by what lies in its folder. */
export type RemoteState =
  /** It was ordered, and nobody has taken it; or there is nothing of it at all. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'withdrawn'; readonly claim: Extract<Claim, { kind: 'withdrawn' }> }
  /** Somebody has taken it. Whether that one still lives is for others to say: see `silentSeconds`. */
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly result: AttemptResult }

/** Follows the folder of one attempt, and tells what is new in it. Each line of its record is read once. */
export class RemoteAttempt implements LiveFigures {
  readonly folder: AttemptFolder
  cpuPercent: number | null = null
  memoryBytes: number | null = null
  readonly #clock: Clock
  readonly #tail: SpoolTail
  #claim: Claim | undefined
  #hasStarted = false
  #end: AttemptEnd | null = null
  #start: AttemptStart | undefined
  #lastRow: Float64Array | undefined
  #rows = 0
  #peakBytes = Number.NEGATIVE_INFINITY
  #signSeconds = -1
  #heardAt: number

  constructor(clock: Clock, folder: AttemptFolder) {
    this.#clock = clock
    this.folder = folder
    this.#tail = new SpoolTail(folder.recordPath)
    this.#heardAt = clock.monotonicSeconds()
  }

  /** Who has taken it, where somebody has. */
  get claim(): Claim | undefined {
    return this.#claim
  }

  get startedAt(): number | undefined {
    return this.#start?.startedAt
  }

  /** For how long its record has not changed, by our own clock: those of two machines may be minutes apart. */
  get silentSeconds(): number {
    return this.#clock.monotonicSeconds() - this.#heardAt
  }

  /** Looks into the folder, tells what was measured since the last look, and answers how it stands. */
  look(listener: Pick<ExecutorListener, 'started' | 'sampled' | 'devicesSampled'>): RemoteState {
    // One that has nothing written yet may be given back by the one that took it.
    if (!this.#hasStarted) this.#claim = this.folder.readClaim()
    if (this.#claim === undefined) return { kind: 'waiting' }
    if (this.#claim.kind === 'withdrawn') return { kind: 'withdrawn', claim: this.#claim }
    const news = this.#tail.read()
    if (this.#tail.modifiedSeconds !== this.#signSeconds) {
      this.#signSeconds = this.#tail.modifiedSeconds
      this.#heardAt = this.#clock.monotonicSeconds()
    }
    if (news.kind === 'growth') this.#tell(news, listener)
    return this.#end === null
      ? { kind: 'running' }
      : { kind: 'ended', result: this.#resultOf(this.#end) }
  }

  #tell(
    { start, rows, devices, end }: SpoolGrowth,
    listener: Pick<ExecutorListener, 'started' | 'sampled' | 'devicesSampled'>,
  ): void {
    const { taskId } = this.folder
    this.#start = start
    this.#rows += rows.length
    for (const row of rows) this.#note(row)
    if (!this.#hasStarted) listener.started(taskId, this)
    this.#hasStarted = true
    if (rows.length > 0) listener.sampled(taskId, joined(rows), rows.length, sampleNames)
    if (devices.length > 0) listener.devicesSampled(taskId, devices)
    this.#end = end
  }

  #note(row: Float64Array): void {
    const before = this.#lastRow
    this.#lastRow = row
    this.memoryBytes = known(row[columns.memory])
    this.#peakBytes = Math.max(this.#peakBytes, this.memoryBytes ?? Number.NEGATIVE_INFINITY)
    if (before === undefined) return
    const seconds = (row[columns.elapsed] ?? NaN) - (before[columns.elapsed] ?? NaN)
    const cpuSeconds = cpuOf(row) - cpuOf(before)
    this.cpuPercent = seconds > 0 ? known((100 * cpuSeconds) / seconds) : this.cpuPercent
  }

  #resultOf(end: AttemptEnd): AttemptResult {
    const { durationSeconds, outcome, usage, samples, endedAt, marks } = end
    return {
      durationSeconds,
      outcome,
      usage,
      samples,
      endedAt,
      outline: [],
      ...(marks === undefined ? {} : { marks }),
      ...this.#place(),
    }
  }

  /** What is known of one whose end was not written: as of its last sample. */
  remains(): Omit<AttemptResult, 'outcome'> {
    const { startedAt, intervalSeconds = null } = this.#start ?? {}
    const { durationSeconds, usage } = interruptedEnd({
      startedAt: startedAt ?? 0,
      lastSample: this.#lastRow ?? null,
      memoryPeakBytes: Number.isFinite(this.#peakBytes) ? this.#peakBytes : null,
    })
    const seconds = durationSeconds ?? 0
    return {
      durationSeconds: seconds,
      usage,
      samples: { collected: this.#rows, intervalSeconds, late: 0, ownCpuSeconds: null },
      outline: [],
      ...(startedAt === undefined ? {} : { endedAt: startedAt + seconds }),
      ...this.#place(),
    }
  }

  #place(): { readonly machine?: Machine } {
    return this.#start === undefined ? {} : { machine: this.#start.machine }
  }
}

const place = (name: (typeof sampleNames)[number]): number => sampleNames.indexOf(name)
const columns = {
  elapsed: place('elapsed_seconds'),
  memory: place('memory_bytes'),
  user: place('cpu_user_seconds'),
  system: place('cpu_system_seconds'),
}

const cpuOf = (row: Float64Array): number =>
  (row[columns.user] ?? NaN) + (row[columns.system] ?? NaN)

const known = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value

function joined(rows: readonly Float64Array[]): Float64Array {
  const width = sampleNames.length
  const whole = new Float64Array(rows.length * width)
  rows.forEach((row, index) => whole.set(row, index * width))
  return whole
}
