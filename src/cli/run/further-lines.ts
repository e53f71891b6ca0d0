import type { AttemptRecord } from '../../model/record.ts'
import type { SummaryLine } from '../../render/record/summary-text.ts'
import { pricePath } from '../../service/price-path.ts'
import type { System } from '../../system/system.ts'

const seldomMeasured = ['net', 'container', 'busiest'] as const

/** What only some jobs have, loaded only for those. */
export async function furtherLines(
  system: System,
  record: AttemptRecord,
): Promise<readonly SummaryLine[]> {
  const cost = await costLines(system, record)
  const hasMore = Object.keys(record.usage).some((key) =>
    seldomMeasured.some((start) => key.startsWith(start)),
  )
  if (!hasMore) return cost
  const { optionalLines } = await import('../../render/record/optional-lines.ts')
  return [...optionalLines(record.usage), ...cost]
}

/** Loaded only where there are prices. Trouble with them is for `reports cost` to tell: this is about the job. */
async function costLines(system: System, record: AttemptRecord): Promise<readonly SummaryLine[]> {
  const prices = pricePath(system, undefined, process.env)
  if (prices === undefined) return []
  const { costLine } = await import('../reports/cost-line.ts')
  return costLine(system, prices, record)
}
