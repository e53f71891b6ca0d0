import { shortened } from '../../../src/browser/report/table-parts.ts'
import { element, type Child } from '../../../src/browser/dom.ts'
import type { Measured } from '../../../src/model/measured.ts'
import type { RecordJson } from '../../../src/render/record/record-json.ts'
import { boundWords } from '../../../src/render/units/usage-figure.ts'
import { formatUsage, groupsOf } from '../../../src/render/units/usage-labels.ts'
import { Drawn } from '../../parts/drawn.tsx'
import { Section } from '../../parts/section.tsx'
import { usageOf } from '../../record-usage.ts'

/** All figures of the record, and how each was measured. */
export function Figures({
  record,
  isRunning,
}: {
  readonly record: RecordJson
  readonly isRunning: boolean
}) {
  if (isRunning) return null
  return (
    <Section
      id="figures"
      title="All figures, and how each was measured"
      note="What was not measured is never counted as 0."
    >
      <Drawn of={record} make={() => figureParts(record)} />
    </Section>
  )
}

function figureParts(record: RecordJson): HTMLElement[] {
  const usage = usageOf(record)
  const missing = new Map<string, string[]>()
  const lines: Child[][] = []
  for (const [group, labels] of groupsOf([usage]))
    for (const [key, label] of Object.entries(labels)) {
      const figure = (usage as unknown as Record<string, Measured>)[key]
      if (figure === undefined) continue
      const name = `${group}, ${label}`
      if (figure.value === null) missing.set(figure.why, [...(missing.get(figure.why) ?? []), name])
      else lines.push([name, figureText(key, figure, figure.value), figure.basis])
    }
  const reasons = [...missing].flatMap(([why, names]) => [
    element('dt', {}, why),
    element('dd', {}, names.join(' · ')),
  ])
  return [
    shortened('Figures of the record', [['Figure'], ['Measured', 'figure'], ['How']], lines),
    ...(reasons.length === 0
      ? []
      : [element('h3', {}, 'Not measured'), element('dl', { class: 'reasons' }, ...reasons)]),
  ]
}

const figureText = (key: string, figure: Measured, value: number): string =>
  `${boundWords(figure)}${formatUsage(key, value)}`
