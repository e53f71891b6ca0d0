import { cpuGauge } from '../meter/gauges/cpu.ts'
import type { Gauge } from '../meter/gauges/gauge.ts'
import { gpuGauge } from '../meter/gauges/gpu.ts'
import { ioGauge } from '../meter/gauges/io.ts'
import { machineGauge } from '../meter/gauges/machine.ts'
import { memoryGauge } from '../meter/gauges/memory.ts'
import { cardMetrics } from './live-gpus.ts'
import { liveMetrics, type LiveMetric } from './live-metrics.ts'

const gauges = { cpu: cpuGauge, memory: memoryGauge, io: ioGauge, machine: machineGauge } as const

const cardName = new RegExp(`^gpu_\\d+_(${cardMetrics.map(({ suffix }) => suffix).join('|')})$`)

/** What somebody asked for, and what has to be read for it. */
export interface WantedMetrics {
  readonly metrics: readonly LiveMetric[]
  readonly gauges: readonly Gauge[]
  readonly readsMachine: boolean
  readonly readsCards: boolean
  wantsCard(name: string): boolean
}

/** Takes names of metrics, and `cpu`, `memory`, `io` and `gpu` for groups of them; without any, everything is wanted. */
export function wantedMetrics(asked: readonly string[] | undefined): WantedMetrics {
  const names = new Set(asked ?? ['cpu', 'memory', 'io', 'gpu'])
  refuseUnknown(names)
  const metrics = liveMetrics.filter(({ name, group }) => names.has(name) || names.has(group))
  const needed = new Set(metrics.flatMap((metric) => metric.gauges))
  const readsCards = [...names].some((name) => name === 'gpu' || cardName.test(name))
  return {
    metrics,
    gauges: [...[...needed].map((name) => gauges[name]), ...(readsCards ? [gpuGauge] : [])],
    readsMachine: needed.has('machine'),
    readsCards,
    wantsCard: (name) => names.has('gpu') || names.has(name),
  }
}

function refuseUnknown(names: ReadonlySet<string>): void {
  const groups = ['cpu', 'memory', 'io', 'gpu']
  const known = new Set([...groups, ...liveMetrics.map(({ name }) => name)])
  for (const name of names)
    if (!known.has(name) && !cardName.test(name))
      throw new RangeError(
        `there is no metric ${JSON.stringify(name)}. There are ${[...known].join(', ')} and ${cardMetrics.map(({ suffix }) => `gpu_0_${suffix}`).join(', ')}`,
      )
}
