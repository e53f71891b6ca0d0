import type { UsageKey, UsageMetric, UsageRow, UsageTable } from '../../model/node-usage.ts'
import { count } from '../../model/count.ts'
import { csv } from '../text/csv.ts'
import { printable } from '../text/printable.ts'
import { table, type Column } from '../text/table.ts'
import { exactShare, notMeasured, orDash } from '../units/figures.ts'
import { amountText, keyLabel, metricWords } from './usage-labels.ts'

export interface UsageView {
  readonly by: readonly UsageKey[]
  readonly metric: UsageMetric
  /** How many lines to show; the others are one. */
  readonly limit?: number | undefined
}

const share = (amount: number | null, whole: number | null): number | null =>
  amount === null || !whole ? null : amount / whole

const leastShare = 1e-5
/** `0.048 %`; of less than a hundred-thousandth, digits say nothing. */
const shareText = (value: number): string =>
  value !== 0 && Math.abs(value) < leastShare
    ? `${value > 0 ? '<' : '>-'}0.001 %`
    : exactShare(value)

/** Who used what, with its share of what there was and of all that was used. */
export function usageText(usage: UsageTable, { by, metric, limit }: UsageView): string {
  const columns: Column[] = [
    ...by.map((key): Column => ({ header: title(key), align: 'left' })),
    { header: metricWords[metric].header, align: 'right' },
    { header: 'of capacity', align: 'right' },
    { header: 'of all use', align: 'right' },
  ]
  const rows = usage.rows
    .slice(0, limit)
    .map(({ keys, amount, capacity }) => [
      ...labels(by, keys).map(printable),
      amountText(metric, amount),
      orDash(share(amount, capacity), shareText),
      orDash(share(amount, usage.total), shareText),
    ])
  const others = usage.rows.slice(rows.length)
  if (others.length > 0) {
    const rest = others.reduce<number | null>(
      (sum, { amount }) => (amount === null ? sum : (sum ?? 0) + amount),
      null,
    )
    // Of what capacity they are shares may differ from one to the next.
    const ofUse = orDash(share(rest, usage.total), shareText)
    const name = by.map((_, at) => (at === 0 ? count(others.length, 'other') : ''))
    rows.push([...name, amountText(metric, rest), notMeasured, ofUse])
  }
  const whole = orDash(share(usage.total, usage.capacity), exactShare)
  return `${table(columns, rows)}\n\nTotal: ${amountText(metric, usage.total)}, ${whole} of capacity.\n`
}

export function usageCsv(usage: UsageTable, { by, metric }: UsageView): string {
  const header = [...by, metricWords[metric].name, 'capacity', 'of_capacity']
  const rows = usage.rows.map(({ keys, amount, capacity }) => [
    ...labels(by, keys),
    amount,
    capacity,
    share(amount, capacity),
  ])
  return csv([header, ...rows])
}

export function usageJson(usage: UsageTable, { by, metric }: UsageView): object {
  const amountName = metricWords[metric].name
  return {
    by,
    metric,
    unit: amountName,
    total: usage.total,
    capacity: usage.capacity,
    rows: usage.rows.map((row) => rowJson(row, by, amountName)),
  }
}

function rowJson(
  { keys, amount, capacity }: UsageRow,
  by: readonly UsageKey[],
  name: string,
): object {
  return {
    ...Object.fromEntries(by.map((key, at) => [key, labels(by, keys)[at] ?? ''])),
    [name]: amount,
    capacity,
    of_capacity: share(amount, capacity),
  }
}

const labels = (by: readonly UsageKey[], keys: UsageRow['keys']): string[] =>
  by.map((key, at) => keyLabel(key, keys[at] ?? ''))

const title = (key: UsageKey): string => key.charAt(0).toUpperCase() + key.slice(1)
