import type { Labels, MetricFamily } from '../family.ts'
import { pointsOf } from '../family-points.ts'
import type { MetricBatch, SharedLabels } from './metric-batch.ts'

/** A series as remote write has it: with its name among its labels, in the order of their names. */
export interface WireSeries {
  readonly family: MetricFamily
  readonly labels: readonly (readonly [name: string, value: string])[]
  readonly value: number
  /** null where it does not count, or nobody knows since when. */
  readonly startMilliseconds: number | null
  readonly isGone: boolean
}

/** What stands for the value of a series that has ended: this one of all that are not a number. */
export const staleBits = 0x7ff0_0000_0000_0002n

export function* wireSeries(batch: MetricBatch, shared: SharedLabels): Iterable<WireSeries> {
  const common = Object.entries(shared).filter(([, value]) => value !== '')
  for (const family of batch.families)
    for (const { sample, points } of pointsOf(family)) {
      const { createdAt = null, isGone = false } = sample
      const startMilliseconds = createdAt === null ? null : Math.round(createdAt * 1000)
      for (const { name, labels, value } of points)
        yield { family, labels: sorted(name, labels, common), value, startMilliseconds, isGone }
    }
}

/** By code units, which for the names of labels is the order of their bytes. There are few of them, for many series. */
function sorted(
  name: string,
  labels: Labels,
  common: readonly [string, string][],
): WireSeries['labels'] {
  const all: (readonly [string, string])[] = [['__name__', name]]
  for (const label of common) if (!labels[label[0]]) put(all, label)
  for (const key in labels) {
    const value = labels[key]
    if (value) put(all, [key, value])
  }
  return all
}

/** Where it belongs among those that are in order. */
function put(all: (readonly [string, string])[], label: readonly [string, string]): void {
  let place = all.push(label) - 1
  for (; place > 0; place -= 1) {
    const before = all[place - 1]
    if (before === undefined || before[0] < label[0]) break
    all[place] = before
  }
  all[place] = label
}
