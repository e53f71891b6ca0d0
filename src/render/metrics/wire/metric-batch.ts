import type { MetricFamily } from '../family.ts'

/** What is sent at once: families as they were at one moment. */
export interface MetricBatch {
  /** Since 1970. */
  readonly atMilliseconds: number
  readonly families: readonly MetricFamily[]
}

/** Labels that every series gets which has none of that name. */
export type SharedLabels = Readonly<Record<string, string>>
