import type { JobChartData } from '../../model/job-chart-data.ts'
import { notMeasured } from '../../render/units/figures.ts'
import { element } from '../dom.ts'
import type { TimeAxis } from './time-axis.ts'
import { figureWords, highestWords } from './words.ts'

/** The figures of all charts as a table, for those who would rather read, or cannot see charts. */
export function figuresTable({ charts, name }: JobChartData, axis: TimeAxis): HTMLElement {
  const headers = ['Figure', 'Lowest', 'Mean', 'Highest', 'When', 'Requested or limit']
  const lines = charts.flatMap(({ title, series, lines: levels }) =>
    series.map((one) => [
      `${title}, ${one.label}`,
      figureWords(one.unit, one.figures.lowest),
      figureWords(one.unit, one.figures.mean),
      highestWords(one),
      one.figures.highest_at_seconds === null
        ? notMeasured
        : axis.words(one.figures.highest_at_seconds, 0.1),
      levels
        .filter((level) => level.unit === one.unit)
        .map((level) => `${level.label} ${figureWords(level.unit, level.value)}`)
        .join(', ') || notMeasured,
    ]),
  )
  const cell = (text: string, index: number): HTMLElement =>
    index === 0
      ? element('th', { scope: 'row', 'data-label': headers[index] }, text)
      : element('td', { class: 'figure', 'data-label': headers[index] }, text)
  return element(
    'details',
    { class: 'jc-figures' },
    element('summary', {}, 'The same in figures'),
    element(
      'p',
      { class: 'note' },
      'These are figures of the lines as drawn through samples; what was recorded may differ.',
    ),
    element(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Figures over time' },
      element(
        'table',
        {},
        element('caption', {}, `Figures of ${name} over time`),
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            ...headers.map((text, index) =>
              element('th', { scope: 'col', class: index === 0 ? '' : 'figure' }, text),
            ),
          ),
        ),
        element('tbody', {}, ...lines.map((cells) => element('tr', {}, ...cells.map(cell)))),
      ),
    ),
  )
}
