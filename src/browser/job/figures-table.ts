import type { JobChartData } from '../../model/job-chart-data.ts'
import { notMeasured } from '../../render/units/figures.ts'
import { element } from '../dom.ts'
import type { TimeAxis } from './time-axis.ts'
import { figureWords } from './words.ts'

/** The figures of all charts as a table, for those who would rather read, or cannot see charts. */
export function figuresTable({ charts, name }: JobChartData, axis: TimeAxis): HTMLElement {
  const headers = ['Figure', 'Lowest', 'Mean', 'Highest', 'When', 'Requested or limit']
  const lines = charts.flatMap(({ title, series, lines: levels }) =>
    series.map(({ label, unit, figures }) => [
      `${title}, ${label}`,
      figureWords(unit, figures.lowest),
      figureWords(unit, figures.mean),
      figureWords(unit, figures.highest),
      figures.highest_at_seconds === null
        ? notMeasured
        : axis.words(figures.highest_at_seconds, 0.1),
      levels
        .filter((level) => level.unit === unit)
        .map((level) => `${level.label} ${figureWords(unit, level.value)}`)
        .join(', ') || notMeasured,
    ]),
  )
  const cell = (text: string, index: number): HTMLElement =>
    index === 0
      ? element('th', { scope: 'row' }, text)
      : element('td', { class: 'figure', 'data-label': headers[index] }, text)
  return element(
    'details',
    { class: 'jc-figures' },
    element('summary', {}, 'The same in figures'),
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
