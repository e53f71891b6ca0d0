import { isTime, type UsageKey, type UsageRow } from '../../model/node-usage.ts'

/** Times as they follow one another, and names by what they used, the most first. */
export function inOrder(rows: readonly UsageRow[], by: readonly UsageKey[]): UsageRow[] {
  const totals = by.map((key, at) => (isTime(key) ? undefined : totalsOf(rows, at)))
  return rows.toSorted((one, other) => {
    for (const [at, total] of totals.entries()) {
      const [a = '', b = ''] = [one.keys[at], other.keys[at]]
      if (a === b) continue
      const byUse = total === undefined ? 0 : (total.get(b) ?? 0) - (total.get(a) ?? 0)
      return byUse || (a < b ? -1 : 1)
    }
    return 0
  })
}

function totalsOf(rows: readonly UsageRow[], at: number): ReadonlyMap<string | number, number> {
  const totals = new Map<string | number, number>()
  for (const { keys, amount } of rows) {
    const key = keys[at] ?? ''
    totals.set(key, (totals.get(key) ?? 0) + (amount ?? 0))
  }
  return totals
}
