import { byId, element } from '../dom.ts'

/** A part of the page with its heading, listed in the contents. */
export function section(id: string, title: string, note?: string): HTMLElement {
  const made = element(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    element('h2', { id: `${id}-title` }, title),
    note === undefined ? null : element('p', { class: 'note' }, note),
  )
  byId('main').append(made)
  byId('contents').append(element('li', {}, element('a', { href: `#${id}` }, title)))
  return made
}
