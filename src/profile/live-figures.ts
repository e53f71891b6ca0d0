import { LiveLook } from './live-look.ts'
import { ioWaitBasis, ioWaitWords, type LiveMetric } from './live-metrics.ts'

/** The kernel counts CPU time in hundredths of a second: over less than this, rates would be noise. */
const shortestRateSeconds = 0.1

const tooSoon = `rates need ${shortestRateSeconds} s, and it was looked at sooner after the start`

/** Metrics by name, and why some of them are missing. */
export interface Figures {
  readonly metrics: Record<string, number>
  readonly unavailable: Record<string, string>
}

/**
 * Turns looks into figures for one who looks again and again: what was read or written since its last look, and rates since then. A
 * look that comes too soon for a rate repeats the last one.
 */
export class LiveFigures {
  readonly #metrics: readonly LiveMetric[]
  readonly #last = new LiveLook()
  /** Where the last rate ended. */
  readonly #base = new LiveLook()
  readonly #rates = new Map<LiveMetric, number>()

  /** `start`: from where the first figures count. */
  constructor(metrics: readonly LiveMetric[], start: LiveLook) {
    this.#metrics = metrics
    this.#last.setTo(start)
    this.#base.setTo(start)
  }

  take(now: LiveLook): Figures {
    const hasRates = now.elapsedSeconds - this.#base.elapsedSeconds >= shortestRateSeconds
    const metrics: Record<string, number> = {}
    const unavailable: Record<string, string> = {}
    for (const metric of this.#metrics) {
      const value = this.#value(metric, now, hasRates)
      if (value === undefined) unavailable[metric.name] = tooSoon
      else if (value >= 0 && value < Infinity) metrics[metric.name] = value
      else unavailable[metric.name] = metric.why
    }
    this.#last.setTo(now)
    if (hasRates) this.#base.setTo(now)
    return { metrics, unavailable }
  }

  /** undefined where it is too soon. */
  #value(metric: LiveMetric, now: LiveLook, hasRates: boolean): number | undefined {
    if (metric.span !== 'rate') return metric.value(now, this.#last)
    if (!hasRates) return this.#rates.get(metric)
    const rate = metric.value(now, this.#base)
    this.#rates.set(metric, rate)
    return rate
  }
}

/** What figures rest on, where there is more than one way to get them. */
export function basisOf(now: LiveLook): Record<string, string> {
  const basis = ioWaitBasis(now)
  return basis === null ? {} : { io_wait_pct: ioWaitWords[basis] }
}
