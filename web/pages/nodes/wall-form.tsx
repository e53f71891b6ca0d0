import { now } from '../../clock.ts'
import type { WalledNode } from '../../../src/server/schemas/node-curve.ts'
import { Choice } from '../../parts/choice.tsx'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { setQuery } from '../../route.ts'
import { momentSeconds } from '../../moment.ts'
import { percentNow, type Metric } from './metrics.ts'
import { isSilent } from './silent.ts'

const orders = ['name', 'cpu', 'memory', 'gpu', 'load', 'silent'] as const
type Order = (typeof orders)[number]
const kinds = ['busy', 'idle', 'gpu', 'silent'] as const
type Kind = (typeof kinds)[number]

/** What the wall shows; all of it stands in the address. */
export interface WallView {
  readonly show: 'all' | Metric
  readonly order: Order
  readonly only: Kind | ''
  readonly find: string
}

/** More nodes than this have one chart each, unless more were asked for. */
const mostWhole = 100

export function viewIn(query: URLSearchParams, nodes: number): WallView {
  const among = <T extends string>(name: string, all: readonly T[]): T | undefined =>
    all.find((one) => one === query.get(name))
  const shows = ['all', 'cpu', 'memory', 'gpu', 'load'] as const
  return {
    show: among('show', shows) ?? (nodes > mostWhole ? 'cpu' : 'all'),
    order: among('order', orders) ?? 'name',
    only: among('only', kinds) ?? '',
    find: query.get('find') ?? '',
  }
}

/** Those that are asked for, in the order that is asked for. */
export function seenNodes(nodes: readonly WalledNode[], view: WallView): readonly WalledNode[] {
  const part = view.find.toLowerCase()
  const belongs = belongsTo[view.only]
  return nodes
    .filter((node) => node.host.toLowerCase().includes(part) && belongs(node))
    .toSorted((a, b) => compare(a, b, view.order) || byName(a, b))
}

const byName = (a: WalledNode, b: WalledNode): number =>
  a.host.localeCompare(b.host, 'en', { numeric: true })

const [busyPercent, idlePercent] = [80, 10] as const

const belongsTo: Readonly<Record<Kind | '', (node: WalledNode) => boolean>> = {
  '': () => true,
  busy: (node) => isSpeaking(node) && (percentNow(node, 'cpu') ?? 0) >= busyPercent,
  idle: (node) => isSpeaking(node) && (percentNow(node, 'cpu') ?? 100) < idlePercent,
  gpu: ({ gpus }) => (gpus ?? 0) > 0,
  silent: (node) => !isSpeaking(node),
}
const isSpeaking = (node: WalledNode): boolean => !isSilent(node, now.value)

function compare(a: WalledNode, b: WalledNode, order: Order): number {
  if (order === 'name') return 0
  if (order === 'silent') return (momentSeconds(a.at) ?? 0) - (momentSeconds(b.at) ?? 0)
  return (percentNow(b, order) ?? -1) - (percentNow(a, order) ?? -1)
}

export function WallForm({ view }: { readonly view: WallView }) {
  return (
    <form
      class="filter"
      role="search"
      aria-label="Nodes"
      onSubmit={(event) => event.preventDefault()}
    >
      <TextFilter name="find" label="Name" value={view.find} placeholder="Name of a node" />
      <SelectFilter
        name="only"
        label="Only"
        value={view.only}
        options={[
          ['', 'all nodes'],
          ['busy', 'busy: 80% and more'],
          ['idle', 'idle: below 10%'],
          ['gpu', 'with GPUs'],
          ['silent', 'silent'],
        ]}
      />
      <SelectFilter
        name="order"
        label="Sort by"
        value={view.order === 'name' ? '' : view.order}
        options={[
          ['', 'name'],
          ['cpu', 'CPU now'],
          ['memory', 'memory now'],
          ['gpu', 'GPUs now'],
          ['load', 'load now'],
          ['silent', 'longest silent'],
        ]}
      />
      <Choice
        legend="Charts"
        name="show"
        options={[
          ['all', 'All'],
          ['cpu', 'CPU'],
          ['memory', 'Memory'],
          ['gpu', 'GPU'],
          ['load', 'Load'],
        ]}
        chosen={view.show}
        take={(show) => setQuery({ show })}
      />
    </form>
  )
}
