import type { ReportData } from '../../render/page/report-content.ts'
import { formatCount } from '../../render/units/figures.ts'
import { lowerBoundWords } from '../../render/units/usage-figure.ts'
import { element } from '../dom.ts'
import { section } from './section.ts'

/** How it ended: the figures of all jobs together, and how many are in each state. */
export function showOutcome(report: ReportData): void {
  const place = section('outcome', 'Outcome')
  place.append(tileList(report.tiles))
  const boundBy = report.kind === 'job' ? report.jobs[0]?.boundBy : null
  if (boundBy)
    place.append(
      element('p', { class: 'bound' }, element('span', { class: 'quiet' }, 'Bound by '), boundBy),
    )
  if (report.jobs.length > 1) place.append(...statesBar(report))
}

/** Figures at the top of a page. */
export const tileList = (tiles: ReportData['tiles']): HTMLElement =>
  element(
    'ul',
    { class: 'tiles' },
    ...tiles.map((tile) =>
      element(
        'li',
        { class: tile.mood },
        element('span', { class: 'label' }, tile.label),
        element('strong', {}, ...figureParts(tile.figure)),
        element('span', { class: 'under' }, tile.note),
      ),
    ),
  )

/** `at least` in small letters, so that the figure itself has room beside it. */
function figureParts(figure: string): (Node | string)[] {
  if (!figure.startsWith(lowerBoundWords)) return [figure]
  const words = element('small', {}, lowerBoundWords)
  return [words, element('span', { class: 'figure' }, figure.slice(lowerBoundWords.length))]
}

function statesBar({ states, jobs }: ReportData): HTMLElement[] {
  const counts = Object.entries(states).toSorted(([, a], [, b]) => b - a)
  const words = counts.map(([state, count]) => `${count} ${state}`).join(', ')
  return [
    element(
      'div',
      { class: 'states', role: 'img', 'aria-label': words },
      // However few they are, they are seen.
      ...counts.map(([state, count]) =>
        element('span', { class: state, style: `flex-grow:${Math.max(count, jobs.length / 200)}` }),
      ),
    ),
    element(
      'ul',
      { class: 'key' },
      ...counts.map(([state, count]) =>
        element('li', { class: state }, `${formatCount(count)} ${state}`),
      ),
    ),
  ]
}
