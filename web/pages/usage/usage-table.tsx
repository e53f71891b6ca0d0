import { element, type Child } from '../../../src/browser/dom.ts'
import { shortened } from '../../../src/browser/report/table-parts.ts'
import type { UsageMetric } from '../../../src/model/node-usage.ts'
import { amountText, metricWords } from '../../../src/render/node/usage-labels.ts'
import { exactShare, notMeasured, orDash } from '../../../src/render/units/figures.ts'
import type { NodeUsage } from '../../../src/server/schemas/node.ts'
import { useAsked } from '../../asked.ts'
import { Drawn } from '../../parts/drawn.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { setQuery } from '../../route.ts'
import type { UsageBy } from './usage-by.ts'

type Row = NodeUsage['rows'][number]

/** Who used how much, the most first; a name leads to its own map. */
export function UsageTable({
  asked,
  by,
  metric,
}: {
  readonly asked: string
  readonly by: UsageBy
  readonly metric: UsageMetric
}) {
  const { value, error } = useAsked<NodeUsage>(`/usage?${asked}`).value
  return (
    <section aria-labelledby="who-title">
      <div class="section-head">
        <h2 id="who-title">Most by {by}</h2>
        <a href={`/api/v1/usage?${asked}&format=csv`} download>
          CSV
        </a>
      </div>
      {error !== undefined && <ProblemNote error={error} />}
      {value !== undefined && <Drawn of={value} make={() => [usageTable(value, by, metric)]} />}
    </section>
  )
}

function usageTable(
  { rows, total, unit }: NodeUsage,
  by: UsageBy,
  metric: UsageMetric,
): HTMLElement {
  const amount = (row: Row): number | null => numberIn(row, unit)
  return shortened(
    `Who used most, by ${by}`,
    [
      [by.charAt(0).toUpperCase() + by.slice(1)],
      [metricWords[metric].header, 'figure'],
      ['of capacity', 'figure'],
      ['of all use', 'figure'],
    ],
    rows.map((row) => {
      const used = amount(row)
      return [
        nameCell(String(row[by] ?? '')),
        amountText(metric, used),
        orDash(numberIn(row, 'of_capacity'), exactShare),
        ofAll(used !== null && total ? used / total : null),
      ]
    }),
  )
}

const numberIn = (row: Row, name: string): number | null => {
  const value = row[name]
  return typeof value === 'number' ? value : null
}

const nameCell = (name: string): Child =>
  element(
    'button',
    { type: 'button', class: 'as-link', onclick: () => setQuery({ of: name }, 'a way back') },
    name,
  )

const ofAll = (share: number | null): Child =>
  share === null
    ? notMeasured
    : element(
        'span',
        { class: 'share', style: `--part:${Math.min(100, 100 * Math.max(0, share))}%` },
        exactShare(share),
      )
