import type { AlertScope, Severity } from '../model/alert.ts'
import type { Expression } from './expression/expression.ts'

/** What must be so for an alert to fire. */
export interface Rule {
  readonly name: string
  /** What is wrong, in a few words, such as `GPU under-used`. */
  readonly says: string
  readonly severity: Severity
  readonly scope: AlertScope
  /** Whether it is about each look at a running job, or about how a job ended. */
  readonly at: 'look' | 'end'
  /** As it was written. */
  readonly metric: string
  readonly computes: Expression
  /** The rule only speaks while this is true. */
  readonly when: Expression | null
  readonly condition: Condition
  /** How long it must be so. */
  readonly forSeconds: number
  /** How long it must be well again. */
  readonly clearForSeconds: number
  /** The channels that hear of it; null for all. */
  readonly channels: readonly string[] | null
}

export type Condition = ThresholdCondition | UnusualCondition

export interface ThresholdCondition {
  readonly kind: 'above' | 'below'
  readonly threshold: number
  /** Past this it is well again; between the two nothing changes. */
  readonly clear: number
}

/** Far from what is usual, by median and median absolute deviation. */
export interface UnusualCondition {
  readonly kind: 'unusual'
  readonly direction: 'above' | 'below' | 'either'
  /** How many deviations away. */
  readonly deviations: number
  readonly from:
    | {
        readonly kind: 'past runs'
        /** Of the figures of a past run of the same job name. */
        readonly figure: Expression
        readonly leastRuns: number
      }
    | { readonly kind: 'window'; readonly seconds: number }
}
