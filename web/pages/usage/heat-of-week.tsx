import { gridsOf } from '../../../src/browser/heat/grids.ts'
import { drawMap } from '../../../src/browser/heat/map.ts'
import { drawScale } from '../../../src/browser/heat/scale.ts'
import type { HeatData } from '../../../src/render/node/heat-data.ts'
import type { UsageHeat } from '../../../src/server/schemas/node.ts'
import { Drawn } from '../../parts/drawn.tsx'
import { query, setQuery } from '../../route.ts'
import type { UsageBy } from './usage-by.ts'

/** Hours across, days down, of all together or of one. */
export function HeatOfWeek({ heat, by }: { readonly heat: UsageHeat; readonly by: UsageBy }) {
  const data: HeatData = heat as HeatData
  const { all, parts } = gridsOf(data)
  const of = query.value.get('of') ?? ''
  const grid = parts.find(({ name }) => name === of) ?? all
  return (
    <section class="heat" aria-labelledby="heat-title">
      <div class="section-head">
        <h2 id="heat-title">By hour of the week{grid === all ? '' : `: ${grid.name}`}</h2>
        {parts.length > 0 && (
          <label>
            <small>Show {by}</small>{' '}
            <select
              value={grid === all ? '' : grid.name}
              onChange={({ currentTarget }) => setQuery({ of: currentTarget.value })}
            >
              <option value="">all</option>
              {parts.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <dl class="facts">
        {heat.facts.map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      <div class="card map">
        <Drawn
          of={`${JSON.stringify(heat.facts)} ${heat.metric} ${heat.by} ${grid.name}`}
          make={() => [drawMap(data, grid, parts), drawScale(data, grid)]}
        />
      </div>
      <p class="note">
        Hours are those of the server’s clock. Time in which nobody looked counts neither as use nor
        as capacity.
      </p>
    </section>
  )
}
