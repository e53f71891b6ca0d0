import { briefBytes, briefPercent } from '../../../src/render/units/brief-figures.ts'
import { formatCount } from '../../../src/render/units/figures.ts'
import type { WalledNode } from '../../../src/server/schemas/node-curve.ts'
import { now } from '../../clock.ts'
import { Spark } from '../../parts/spark.tsx'
import { curveOf } from './metrics.ts'
import { isSilent } from './silent.ts'

type Summed = 'cpu' | 'memory' | 'gpu'

const sizes: Readonly<Record<Summed, (node: WalledNode) => number>> = {
  cpu: ({ cores }) => cores ?? 0,
  memory: ({ memory_total_bytes: bytes }) => bytes ?? 0,
  gpu: ({ gpus }) => gpus ?? 0,
}
const ofWords: Readonly<Record<Summed, (size: number) => string>> = {
  cpu: (cores) => `of ${formatCount(cores)} cores`,
  memory: (bytes) => `of ${briefBytes(bytes)}`,
  gpu: (gpus) => `of ${formatCount(gpus)} GPUs`,
}
const names: Readonly<Record<Summed, string>> = { cpu: 'CPU', memory: 'Memory', gpu: 'GPUs' }

/** All nodes together: how full they were, of what was looked at. */
export function SiteStrips({ nodes }: { readonly nodes: readonly WalledNode[] }) {
  if (nodes.length < 2) return null
  const speaking = nodes.filter((node) => !isSilent(node, now.value))
  const counted = speaking.length === 0 ? nodes : speaking
  const shown = (['cpu', 'memory', 'gpu'] as const).filter((metric) =>
    nodes.some((node) => sizes[metric](node) > 0),
  )
  return (
    <ul class="strips" aria-label="All nodes together">
      {shown.map((metric) => {
        const values = together(nodes, metric)
        const size = counted.reduce((sum, node) => sum + sizes[metric](node), 0)
        const last = values.findLast((value) => value !== null) ?? null
        const figure = last === null || speaking.length === 0 ? '–' : briefPercent(last)
        return (
          <li key={metric} class="strip card">
            <span class="quiet">{names[metric]}, all nodes</span>
            <span>
              <strong>{figure}</strong> <small>{ofWords[metric](size)}</small>
            </span>
            <Spark
              values={values}
              most={100}
              label={`${names[metric]} of all nodes: ${figure}`}
              tone={metric}
            />
          </li>
        )
      })}
    </ul>
  )
}

/** The mean of the nodes in each step, by their size; null where nobody looked at any. */
function together(nodes: readonly WalledNode[], metric: Summed): (number | null)[] {
  const steps = nodes[0]?.cpu_percent.length ?? 0
  return Array.from({ length: steps }, (_, step) => {
    let [used, whole] = [0, 0]
    for (const node of nodes) {
      const value = curveOf(node, metric)[step] ?? null
      if (value === null) continue
      used += value * sizes[metric](node)
      whole += sizes[metric](node)
    }
    return whole === 0 ? null : used / whole
  })
}
