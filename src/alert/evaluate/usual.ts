import { median } from '../../analysis/statistics/median.ts'
import { Window } from '../expression/window.ts'

/** What is usual: the middle, and how far values stray from it. */
export interface Usual {
  readonly median: number
  readonly spread: number
}

/** For values that are spread normally, this many median deviations are one standard deviation. */
const ofNormal = 1.4826
/** Runs that are alike to the millisecond do not make every other one an anomaly. */
const leastSpreadShare = 0.05

/** undefined of fewer than so many known values. */
export function usualOf(
  values: Float64Array | readonly number[],
  leastCount: number,
): Usual | undefined {
  const known = [...values].filter((value) => Number.isFinite(value))
  if (known.length < Math.max(1, leastCount)) return undefined
  const middle = median(known)
  const deviation = median(known.map((value) => Math.abs(value - middle)))
  const spread = Math.max(ofNormal * deviation, leastSpreadShare * Math.abs(middle))
  return spread > 0 ? { median: middle, spread } : undefined
}

/** What has been usual in the last so many seconds. What is unusual is not learnt: it would soon be usual. */
export class RecentlyUsual {
  readonly #window: Window
  readonly #everySeconds: number
  #usual: Usual | undefined
  #drawnAt = -Infinity

  constructor(seconds: number) {
    this.#window = new Window(seconds)
    this.#everySeconds = seconds / 60
  }

  learn(value: number, at: number): void {
    this.#window.add(value, at)
  }

  /** Drawn up anew now and then: sorting at each look would cost more than the look. */
  at(seconds: number): Usual | undefined {
    if (seconds - this.#drawnAt >= this.#everySeconds) {
      this.#drawnAt = seconds
      if (this.#window.isFilled) this.#usual = usualOf(this.#window.values, 10)
    }
    return this.#usual
  }
}
