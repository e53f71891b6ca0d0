import { compile, type Computed } from '../expression/compile.ts'
import type { Rule } from '../rule.ts'
import { Dwell, type Change, type Verdict } from './dwell.ts'
import { judgeOf, type Judge } from './judge.ts'
import type { Usual } from './usual.ts'

/** Where figures stand, and what is known beforehand. */
export interface Watching {
  placeOf(name: string): number
  /** Nothing is known of a longer time without a value. */
  readonly longestGapSeconds: number
  /** What the figure of a rule was in past runs of the same job. */
  pastUsual(rule: Rule): Usual | undefined
}

/** One rule on one subject: a job, a card or the machine. */
export class WatchedRule {
  readonly rule: Rule
  readonly #computed: Computed
  readonly #when: Computed | null
  readonly #judge: Judge
  readonly #dwell: Dwell
  /** The last known one. */
  value = Number.NaN
  /** On that value; undefined while there is nothing to compare it with. */
  verdict: Verdict | undefined

  constructor(rule: Rule, watching: Watching) {
    const { placeOf, longestGapSeconds } = watching
    this.rule = rule
    this.#computed = compile(rule.computes, placeOf)
    this.#when = rule.when === null ? null : compile(rule.when, placeOf)
    this.#judge = judgeOf(rule.condition, () => watching.pastUsual(rule))
    this.#dwell = new Dwell({ ...rule, longestGapSeconds })
  }

  get usual(): Usual | undefined {
    return this.#judge.usual()
  }

  /** What is unknown changes nothing. */
  take(figures: Float64Array, at: number): Change {
    const value = this.#computed(figures, at)
    const speaks = this.#when === null ? 1 : this.#when(figures, at)
    if (speaks === 0) return this.#dwell.take('well', at)
    if (Number.isNaN(speaks) || !Number.isFinite(value)) return null
    this.value = value
    this.verdict = this.#judge.verdictOn(value, at)
    return this.verdict === undefined ? null : this.#dwell.take(this.verdict, at)
  }

  end(): Change {
    return this.#dwell.end()
  }
}
