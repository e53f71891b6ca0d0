import { count } from '../../model/count.ts'
import type { MeasuredHow } from '../../render/page/measured-how.ts'
import type { ReportData } from '../../render/page/report-content.ts'
import { element } from '../dom.ts'
import { section } from './section.ts'
import { rows } from './table-parts.ts'

/** How the figures came about. */
export function showMeasured({ measured }: ReportData): void {
  const place = section(
    'measured',
    'How it was measured',
    'Where each figure comes from, and for how many attempts. What was not measured is never counted as 0.',
  )
  const isKnown = ({ ways }: MeasuredHow): boolean => ways.some(({ isMeasured }) => isMeasured)
  const known = measured.filter(isKnown)
  place.append(
    rows(
      'Ways of measuring',
      [['Figure'], ['Way']],
      known.map((each) => [nameOf(each), waysList(each)]),
    ),
  )
  const reasons = Map.groupBy(
    measured.filter((each) => !isKnown(each)),
    ({ ways }) => ways.map(({ text }) => text).join('; '),
  )
  if (reasons.size === 0) return
  const list = [...reasons].flatMap(([why, figures]) => [
    element('dt', {}, why),
    element('dd', {}, figures.map(nameOf).join(' · ')),
  ])
  place.append(element('h3', {}, 'Not measured'), element('dl', { class: 'reasons' }, ...list))
}

const nameOf = ({ group, label }: MeasuredHow): string => `${group}, ${label}`

const mostWays = 4

const waysList = ({ ways }: MeasuredHow): HTMLElement =>
  element(
    'ul',
    { class: 'ways' },
    ...ways.slice(0, mostWays).map(({ text, isMeasured, count: attempts }) => {
      return element(
        'li',
        { class: isMeasured ? '' : 'quiet' },
        isMeasured ? text : `not measured: ${text}`,
        element('small', {}, count(attempts, 'attempt')),
      )
    }),
  )
