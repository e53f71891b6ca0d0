/**
 * CPU rates over windows of at least a second: clock ticks are 10 ms, and over shorter times they
 * make peaks that never were.
 */
export const windowSeconds = 1

export class CpuWindows {
  peakPercent = NaN
  /** Over the window that ends with the last point. */
  latestPercent = NaN
  readonly #times: number[] = [0]
  readonly #cpu: number[] = [0]
  readonly #windowPercents: number[] = []
  readonly #windowSpans: number[] = []
  #windowStart = 0
  #windowCpu = 0

  add(elapsedSeconds: number, cpuSeconds: number): void {
    const times = this.#times
    const cpu = this.#cpu
    if (elapsedSeconds <= (times.at(-1) ?? 0)) return
    times.push(elapsedSeconds)
    cpu.push(cpuSeconds)
    // The newest point at least a window back begins the window that ends now.
    while ((times[1] ?? Infinity) <= elapsedSeconds - windowSeconds) {
      times.shift()
      cpu.shift()
    }
    const span = elapsedSeconds - (times[0] ?? elapsedSeconds)
    if (span >= windowSeconds) {
      const percent = (Math.max(0, cpuSeconds - (cpu[0] ?? cpuSeconds)) / span) * 100
      this.latestPercent = percent
      if (!(percent <= this.peakPercent)) this.peakPercent = percent
    }
    this.#addToWindow(elapsedSeconds, cpuSeconds)
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

  /** Side by side, not overlapping: these carry the percentile. */
  #addToWindow(elapsedSeconds: number, cpuSeconds: number): void {
    const span = elapsedSeconds - this.#windowStart
    if (span < windowSeconds) return
    this.#windowPercents.push((Math.max(0, cpuSeconds - this.#windowCpu) / span) * 100)
    this.#windowSpans.push(span)
    this.#windowStart = elapsedSeconds
    this.#windowCpu = cpuSeconds
  }
}
