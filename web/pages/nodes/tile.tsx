import { memo } from 'preact/compat'
import { useEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { briefBytes } from '../../../src/render/units/brief-figures.ts'
import { tableCores } from '../../../src/render/units/figures.ts'
import type { WalledNode } from '../../../src/server/schemas/node-curve.ts'
import { now } from '../../clock.ts'
import { momentSeconds } from '../../moment.ts'
import { Spark } from '../../parts/spark.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago } from '../../parts/time.tsx'
import { curveOf, figureNow, metricNames, metrics, type Metric } from './metrics.ts'
import { isSilent } from './silent.ts'

/** One node of the wall; its charts are drawn when it comes near the window. */
export const Tile = memo(
  ({ node, show }: { readonly node: WalledNode; readonly show: 'all' | Metric }) => {
    const place = useRef<HTMLLIElement>(null)
    const isNear = useNear(place)
    const hidden = isSilent(node, now.peek())
    const shown = show === 'all' ? metrics.filter((metric) => hasMetric(node, metric)) : [show]
    return (
      <li ref={place} class={hidden ? 'node silent' : 'node'}>
        <div class="node-head">
          <a class="stretched" data-row href={`/nodes/${encodeURIComponent(node.host)}`}>
            {node.host}
          </a>
          {hidden ? <Silent node={node} /> : show === 'all' && <small>{sizeWords(node)}</small>}
        </div>
        {shown.map((metric) => (
          <div key={metric} class="node-metric">
            {show === 'all' && <span class="quiet">{metricNames[metric]}</span>}
            {isNear ? (
              <Spark
                values={curveOf(node, metric)}
                most={100}
                label={`${metricNames[metric]} of ${node.host}: ${figureNow(node, metric)}`}
                tone={metric === 'load' ? 'quiet' : metric}
              />
            ) : (
              <span class="spark-room" />
            )}
            <span class="node-figure">{hidden ? '' : figureNow(node, metric)}</span>
          </div>
        ))}
      </li>
    )
  },
)

const hasMetric = (node: WalledNode, metric: Metric): boolean =>
  metric !== 'gpu' || (node.gpus ?? 0) > 0

const Silent = ({ node }: { readonly node: WalledNode }) => (
  <span class="silent-since">
    <Status status="silent" /> <Ago at={momentSeconds(node.at)} />
  </span>
)

export function sizeWords({
  cores,
  memory_total_bytes: memory,
  gpus,
}: Pick<WalledNode, 'cores' | 'memory_total_bytes' | 'gpus'>): string {
  const words = [
    cores === null ? null : tableCores(cores),
    memory === null ? null : briefBytes(memory),
    gpus ? `${gpus} ${gpus === 1 ? 'GPU' : 'GPUs'}` : null,
  ]
  return words.filter((each) => each !== null).join(' · ')
}

const watched = new WeakMap<Element, () => void>()
const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) watched.get(target)?.()
  },
  { rootMargin: '400px' },
)

/** Whether it has ever come near the window: five hundred nodes have two thousand charts. */
function useNear(place: { readonly current: Element | null }): boolean {
  const isNear = useSignal(false)
  useEffect(() => {
    const { current } = place
    if (current === null) return undefined
    watched.set(current, () => {
      isNear.value = true
      observer.unobserve(current)
    })
    observer.observe(current)
    return () => observer.unobserve(current)
  }, [])
  return isNear.value
}
