import '../style/home.css'
import '../style/admin.css'
import { formatCount } from '../../src/render/units/figures.ts'
import type { NodeWall } from '../../src/server/schemas/node-curve.ts'
import { useAsked } from '../asked.ts'
import { now } from '../clock.ts'
import { halfMinutes } from '../every.ts'
import { Empty } from '../parts/empty.tsx'
import { NoNodes } from '../parts/no-nodes.tsx'
import { OwnShare } from '../parts/own-share.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { timeAsked, TimeRange } from '../parts/time-range.tsx'
import { Title } from '../parts/title.tsx'
import { query } from '../route.ts'
import { isSilent } from './nodes/silent.ts'
import { SiteStrips } from './nodes/site-strips.tsx'
import { Tile } from './nodes/tile.tsx'
import { seenNodes, viewIn, WallForm } from './nodes/wall-form.tsx'

/** Every node in a small chart: which are full, which are idle, and which are silent. */
export default function Nodes() {
  const time = timeAsked('24h')
  const again = time.range === null ? 0 : halfMinutes.value
  const asked = useAsked<NodeWall>(`/node-curves?${time.asked}&points=96`, again)
  const { value, error, isWaiting } = asked.value
  const all = value?.nodes ?? []
  const view = viewIn(query.value, all.length)
  const shown = seenNodes(all, view)
  const silent = all.filter((node) => isSilent(node, now.value))
  return (
    <>
      <div class="page-head">
        <Title name="Nodes" />
        {all.length > 0 && (
          <span class="quiet" role="status">
            {countWords(shown.length, all.length)}
            {silent.length > 0 && ` · ${formatCount(silent.length)} silent`}
          </span>
        )}
        {all.length > 0 && (
          <div class="actions">
            <TimeRange usual="24h" />
          </div>
        )}
      </div>
      {error !== undefined && <ProblemNote error={error} />}
      {value === undefined && isWaiting && <p class="loading">Reading…</p>}
      {value !== undefined && all.length === 0 && <NoNodes why={value.why_none} />}
      {all.length > 0 && (
        <>
          <OwnShare>Nodes are shown whole; of jobs you see those that are yours.</OwnShare>
          <SiteStrips nodes={all} />
          <WallForm view={view} />
          {shown.length === 0 ? (
            <Empty title="No node is like this">Change a filter, or clear all of them.</Empty>
          ) : (
            <ul class={`wall ${view.show === 'all' ? 'whole' : 'single'}`} aria-label="Nodes">
              {shown.map((node) => (
                <Tile key={node.host} node={node} show={view.show} />
              ))}
            </ul>
          )}
        </>
      )}
    </>
  )
}

const countWords = (shown: number, all: number): string =>
  shown === all
    ? `${formatCount(all)} ${all === 1 ? 'node' : 'nodes'}`
    : `${formatCount(shown)} of ${formatCount(all)} nodes`
