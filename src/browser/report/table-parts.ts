import type { ResourceUse } from '../../render/page/resource-figures.ts'
import { formatCount, notMeasured } from '../../render/units/figures.ts'
import { lowerBoundWords } from '../../render/units/usage-figure.ts'
import { element, type Child } from '../dom.ts'

/** What a column is called, and whether figures stand in it. */
export type Header = readonly [text: string, kind?: 'figure']

/** A table that its own container scrolls where it is too wide. */
export function rows(
  caption: string,
  headers: readonly Header[],
  lines: readonly (readonly Child[])[],
): HTMLElement {
  const heads = headers.map(([text, kind = '']) =>
    element('th', { scope: 'col', class: kind }, text),
  )
  const cellOf = (cell: Child, index: number): HTMLElement => {
    const [text = '', kind = ''] = headers[index] ?? []
    return index === 0
      ? element('th', { class: kind, scope: 'row', 'data-label': text }, cell)
      : element('td', { class: kind, 'data-label': text }, cell)
  }
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    element(
      'table',
      {},
      element('caption', {}, caption),
      element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...lines.map((cells) => element('tr', {}, ...cells.map(cellOf)))),
    ),
  )
}

const firstLines = 10

/** The first lines of a long table, and a button for the rest. */
export function shortened(
  caption: string,
  headers: readonly Header[],
  lines: readonly (readonly Child[])[],
): HTMLElement {
  const place = element(
    'div',
    { class: 'shortened' },
    rows(caption, headers, lines.slice(0, firstLines)),
  )
  const whole = (): void => place.replaceChildren(rows(caption, headers, lines))
  if (lines.length > firstLines) {
    const words = `Show all ${formatCount(lines.length)}`
    place.append(element('button', { type: 'button', class: 'more', onclick: whole }, words))
    addEventListener('beforeprint', whole)
  }
  return place
}

/** How much of its request a job used, with a bar under the figure. */
export function shareCell({ share, text }: ResourceUse): HTMLElement {
  if (share === null) return element('span', { class: 'quiet' }, notMeasured)
  return element(
    'span',
    { class: share > 100 ? 'share over' : 'share', style: `--part:${Math.min(100, share)}%` },
    // Where at least so much was used, at least so much of the request was.
    `${text.startsWith(lowerBoundWords) ? lowerBoundWords : ''}${Math.round(share)}%`,
  )
}

export const badge = (state: string): HTMLElement =>
  element('span', { class: `badge ${state}` }, state)
