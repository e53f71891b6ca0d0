import { cpuRoomSeconds } from '../../../model/cpu-room.ts'
import { hidingSeconds } from '../../../model/hidden-moments.ts'

/**
 * CPU rates over windows of at least a second: clock ticks are 10 ms, and over shorter times they
 * make peaks that never were.
 */
export const windowSeconds = 1
/** Looks that are a second apart come a few milliseconds early or late. */
const shortestWindowSeconds = 0.95

export class CpuWindows {
  peakPercent = NaN
  /** Over the window that ends with the last point. */
  latestPercent = NaN
  /** How long a busier second may have hidden between two looks. */
  hiddenSeconds = 0
  readonly #times: number[] = [0]
  readonly #cpu: number[] = [0]
  readonly #threads: number[] = [0]
  readonly #windowPercents: number[] = []
  readonly #windowSpans: number[] = []
  #windowStart = 0
  #windowCpu = 0
  #windowThreads = 0

  /** `threads`: those alive at this look; NaN where that is not known. */
  add(elapsedSeconds: number, cpuSeconds: number, threads: number): void {
    const times = this.#times
    const cpu = this.#cpu
    const sinceLast = elapsedSeconds - (times.at(-1) ?? 0)
    if (sinceLast <= 0) return
    if (sinceLast > hidingSeconds) this.hiddenSeconds += sinceLast
    times.push(elapsedSeconds)
    cpu.push(cpuSeconds)
    this.#threads.push(threads)
    // The newest point at least a window back begins the window that ends now.
    while ((times[1] ?? Infinity) <= elapsedSeconds - shortestWindowSeconds) {
      times.shift()
      cpu.shift()
      this.#threads.shift()
    }
    const span = elapsedSeconds - (times[0] ?? elapsedSeconds)
    if (span >= shortestWindowSeconds) {
      const used = Math.max(0, cpuSeconds - (cpu[0] ?? cpuSeconds))
      const percent = (Math.min(used, cpuRoomSeconds(span, most(this.#threads), used)) / span) * 100
      this.latestPercent = percent
      this.#notePeak(percent)
    }
    this.#addToWindow(elapsedSeconds, cpuSeconds, threads)
  }

  /** The percent below which the CPU stayed 95 % of the time; undefined for a job shorter than a window. */
  percentile95(): number | undefined {
    const order = this.#windowPercents.map((_, index) => index)
    order.sort((a, b) => (this.#windowPercents[a] ?? 0) - (this.#windowPercents[b] ?? 0))
    const total = this.#windowSpans.reduce((sum, span) => sum + span, 0)
    let passed = 0
    for (const index of order) {
      passed += this.#windowSpans[index] ?? 0
      if (passed >= total * 0.95) return this.#windowPercents[index]
    }
    return undefined
  }

  #notePeak(percent: number): void {
    if (!(percent <= this.peakPercent)) this.peakPercent = percent
  }

  /** Side by side, not overlapping: these carry the percentile, which is never above the peak. */
  #addToWindow(elapsedSeconds: number, cpuSeconds: number, threads: number): void {
    const span = elapsedSeconds - this.#windowStart
    this.#windowThreads = Math.max(this.#windowThreads, threads)
    if (span < shortestWindowSeconds) return
    const used = Math.max(0, cpuSeconds - this.#windowCpu)
    const shown = Math.min(used, cpuRoomSeconds(span, this.#windowThreads, used))
    const percent = (shown / span) * 100
    this.#notePeak(percent)
    this.#windowPercents.push(percent)
    this.#windowSpans.push(span)
    this.#windowStart = elapsedSeconds
    // What the window had no room for is the next one's.
    this.#windowCpu = Math.max(this.#windowCpu, cpuSeconds) - (used - shown)
    this.#windowThreads = threads
  }
}

function most(values: readonly number[]): number {
  let highest = 0
  for (const value of values) highest = Math.max(highest, value)
  return highest
}
