import { inOrder } from '../../analysis/node/usage-order.ts'
import type { UsageTable } from '../../model/node-usage.ts'
import { hourSeconds } from '../../model/time-parts.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'
import type { UsageQuery } from '../../store/node/usage-query.ts'

export interface NodeUsageQuery extends Omit<UsageQuery, 'offsets'> {
  /** How far local time is ahead of UTC between two moments: by it hours and days are told. */
  readonly offsetsBetween: (from: number, to: number) => UsageQuery['offsets']
}

/** How full the nodes were. Hours are kept whole: the one that it begins in counts. */
export async function nodeUsage(
  reader: NodeQuestions,
  { offsetsBetween, ...query }: NodeUsageQuery,
): Promise<UsageTable> {
  const from = Math.floor(query.from / hourSeconds) * hourSeconds
  const kept = (await reader.hours()) ?? { from, to: query.to }
  // Only of time that there is something of: clocks were put forward and back a hundred times since 1970.
  const offsets = offsetsBetween(Math.max(from, kept.from), Math.min(query.to, kept.to))
  const found = await reader.usage({ ...query, from, offsets })
  return { ...found, rows: inOrder(found.rows, query.by) }
}
