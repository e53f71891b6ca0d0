import type { Mark } from '../../model/marks/mark.ts'
import { sampleIndex, type SampleRow } from '../../model/sample.ts'
import { maximum, minimum } from '../statistics/statistics.ts'

/** What a job did between marks that its program set. */
export interface MarkedPart {
  /** The epoch or the phase. */
  readonly label: string
  /** How often it came; a phase may come once in each epoch. */
  readonly times: number
  readonly fromSeconds: number
  readonly toSeconds: number
  /** Of all times together. */
  readonly durationSeconds: number
  readonly firstStep: number | null
  readonly lastStep: number | null
  /** Null where no samples cover it. */
  readonly cpuCores: number | null
  readonly memoryPeakBytes: number | null
}

export interface MarkReport {
  readonly count: number
  readonly epochs: readonly MarkedPart[]
  readonly phases: readonly MarkedPart[]
}

/** A stretch of time in which an epoch or a phase lasted. */
export interface MarkedStretch {
  readonly label: string
  readonly fromSeconds: number
  readonly toSeconds: number
}

/** An epoch or a phase lasts until a mark names another one, or until the job ends. A mark that names none changes nothing. */
export function stretchesOf(
  marks: readonly Mark[],
  key: 'epoch' | 'phase',
  endSeconds: number,
): MarkedStretch[] {
  const begins = marks.flatMap((mark) => {
    const value = mark[key]
    return value === null ? [] : [{ label: String(value), fromSeconds: mark.elapsedSeconds }]
  })
  const changes = begins.filter(({ label }, index) => label !== begins[index - 1]?.label)
  return changes.map((change, index) => ({
    ...change,
    toSeconds: Math.max(change.fromSeconds, changes[index + 1]?.fromSeconds ?? endSeconds),
  }))
}

/** Figures of each epoch and phase, as far as samples allow. */
export function markReport(
  marks: readonly Mark[],
  rows: readonly SampleRow[],
  endSeconds: number,
): MarkReport {
  const use = new Use(rows)
  const times = marks.map(({ elapsedSeconds }) => elapsedSeconds)
  const stepsIn = ({ fromSeconds, toSeconds }: MarkedStretch): number[] =>
    marks
      .slice(placeOf(times, fromSeconds), placeOf(times, toSeconds))
      .flatMap(({ step }) => step ?? [])
  const parts = (key: 'epoch' | 'phase'): MarkedPart[] =>
    [...Map.groupBy(stretchesOf(marks, key, endSeconds), ({ label }) => label)].map(
      ([label, stretches]) => partOf(label, stretches, stretches.flatMap(stepsIn), use),
    )
  return { count: marks.length, epochs: parts('epoch'), phases: parts('phase') }
}

function partOf(
  label: string,
  stretches: readonly MarkedStretch[],
  steps: readonly number[],
  use: Use,
): MarkedPart {
  const peaks = stretches.map((one) => use.memoryPeakBytes(one))
  return {
    label,
    times: stretches.length,
    fromSeconds: stretches[0]?.fromSeconds ?? 0,
    toSeconds: stretches.at(-1)?.toSeconds ?? 0,
    durationSeconds: stretches.reduce((sum, one) => sum + one.toSeconds - one.fromSeconds, 0),
    firstStep: minimum(steps) ?? null,
    lastStep: maximum(steps) ?? null,
    cpuCores: use.meanCores(stretches),
    memoryPeakBytes: maximum(peaks.filter((bytes) => bytes !== undefined)) ?? null,
  }
}

/** What samples tell of a job at any moment. */
class Use {
  /** Of looks that saw the CPU time. Nothing is used before the start. */
  readonly #times = [0]
  readonly #cpuSeconds = [0]
  readonly #rowTimes: readonly number[]
  readonly #memoryBytes: readonly number[]

  constructor(rows: readonly SampleRow[]) {
    for (const row of rows) {
      const at = row[sampleIndex.elapsed_seconds] ?? Number.NaN
      const cpu =
        (row[sampleIndex.cpu_user_seconds] ?? Number.NaN) +
        (row[sampleIndex.cpu_system_seconds] ?? Number.NaN)
      if (!(at >= 0 && cpu >= 0)) continue
      this.#times.push(at)
      this.#cpuSeconds.push(cpu)
    }
    this.#rowTimes = rows.map((row) => row[sampleIndex.elapsed_seconds] ?? Number.NaN)
    this.#memoryBytes = rows.map((row) => row[sampleIndex.memory_bytes] ?? Number.NaN)
  }

  /** As far as looks reach. */
  meanCores(stretches: readonly MarkedStretch[]): number | null {
    let cpuSeconds = 0
    let seconds = 0
    for (const { fromSeconds, toSeconds } of stretches) {
      const end = Math.min(toSeconds, this.#times.at(-1) ?? 0)
      if (!(end > fromSeconds)) continue
      cpuSeconds += this.#cpuSecondsAt(end) - this.#cpuSecondsAt(fromSeconds)
      seconds += end - fromSeconds
    }
    return seconds > 0 ? cpuSeconds / seconds : null
  }

  memoryPeakBytes({ fromSeconds, toSeconds }: MarkedStretch): number | undefined {
    const seen = this.#memoryBytes.slice(
      placeOf(this.#rowTimes, fromSeconds),
      placeOf(this.#rowTimes, toSeconds),
    )
    return maximum(seen.filter((bytes) => bytes >= 0))
  }

  /** On a straight line from one look to the next. */
  #cpuSecondsAt(elapsedSeconds: number): number {
    const after = placeOf(this.#times, elapsedSeconds)
    const [fromTime, toTime] = [this.#times[after - 1], this.#times[after]]
    const [from = 0, to = 0] = [this.#cpuSeconds[after - 1], this.#cpuSeconds[after]]
    if (fromTime === undefined || toTime === undefined) return to
    return from + ((to - from) * (elapsedSeconds - fromTime)) / (toTime - fromTime)
  }
}

/** Where the first of these times stands that is not earlier. */
function placeOf(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}
