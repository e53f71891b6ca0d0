import { briefBytes, briefPercent } from '../../../src/render/units/brief-figures.ts'
import { notMeasured } from '../../../src/render/units/figures.ts'
import type { WalledNode } from '../../../src/server/schemas/node-curve.ts'

/** What the small charts of a node show. */
export const metrics = ['cpu', 'memory', 'gpu', 'load'] as const
export type Metric = (typeof metrics)[number]

export const metricNames: Readonly<Record<Metric, string>> = {
  cpu: 'CPU',
  memory: 'Memory',
  gpu: 'GPU',
  load: 'Load',
}

/** In percent of what the node has. */
export const curveOf = (node: WalledNode, metric: Metric): readonly (number | null)[] =>
  node[`${metric}_percent`]

const wholes: Readonly<
  Record<Metric, (node: WalledNode) => readonly [number | null, number | null]>
> = {
  cpu: ({ latest, cores }) => [latest.busy_cores, cores],
  memory: ({ latest, memory_total_bytes: total }) => [latest.memory_bytes, total],
  gpu: ({ latest, gpus }) => [latest.busy_gpus, gpus],
  load: ({ latest, cores }) => [latest.load, cores],
}

export function percentNow(node: WalledNode, metric: Metric): number | null {
  const [used, whole] = wholes[metric](node)
  return used === null || !whole ? null : (100 * used) / whole
}

/** `41%`; memory and load as what they are. */
export function figureNow(node: WalledNode, metric: Metric): string {
  const [used] = wholes[metric](node)
  if (used === null) return notMeasured
  if (metric === 'memory') return briefBytes(used)
  if (metric === 'load') return used.toFixed(used < 10 ? 1 : 0)
  const percent = percentNow(node, metric)
  return percent === null ? notMeasured : briefPercent(percent)
}
