import type { HeatMap } from '../../analysis/node/heat-map.ts'
import type { UsageKey, UsageMetric } from '../../model/node-usage.ts'
import { heatData, heatFacts } from '../../render/node/heat-data.ts'
import { heatPage } from '../../render/node/heat-page.ts'
import type { Zone } from '../../render/units/zoned-time.ts'
import { UserError } from '../../service/user-error.ts'
import type { System } from '../../system/system.ts'
import { pageScript } from '../reports/page-script.ts'
import { version } from '../version.ts'

interface HeatQuestion {
  readonly by: readonly UsageKey[]
  readonly metric: UsageMetric
  readonly from: number
  readonly to: number
  readonly zone: Zone
  readonly filters: readonly (readonly [string, string])[]
}

/** Writes the page of a heat map; answers its size in bytes. */
export function saveHeatPage(
  system: System,
  map: HeatMap,
  { by, metric, from, to, zone, filters }: HeatQuestion,
  path: string,
): number {
  const data = heatData(map, {
    metric,
    by: by[1] ?? null,
    made: `jobmeter ${version}`,
    facts: [...heatFacts(map, { metric, from, to, zone }), ...filters],
  })
  const page = new TextEncoder().encode(heatPage(data, pageScript(system, 'heat')))
  const saved = system.files.save(path, [page], 'page')
  if (saved.kind === 'ok') return page.length
  throw new UserError(
    `the page was not written: ${saved.kind === 'failed' ? saved.error : saved.why}. Name another file with -o`,
  )
}
