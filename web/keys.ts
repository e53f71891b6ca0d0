import { menuPages } from './pages.ts'
import { go } from './route.ts'

/** A key, or two after one another (`g h`), what it is said to do, and what it does. */
export interface Key {
  readonly keys: string
  readonly says: string
  readonly run: () => void
}

/** All keys that work everywhere; `?` shows them. */
export const keys: readonly Key[] = [
  { keys: '/', says: 'search', run: () => document.getElementById('search')?.focus() },
  { keys: 'j', says: 'next in a list', run: () => moveInList(1) },
  { keys: 'k', says: 'previous in a list', run: () => moveInList(-1) },
  ...menuPages.map(({ key, name, path }) => ({
    keys: `g ${key}`,
    says: `go to ${name}`,
    run: () => go(path),
  })),
  { keys: '?', says: 'this list', run: () => openKeyList() },
]

export const keyListId = 'key-list'

export function openKeyList(): void {
  const list = document.getElementById(keyListId)
  if (list instanceof HTMLDialogElement && !list.open) list.showModal()
}

/** Entries of lists are links with `data-row`: Enter opens the one that has the focus. */
function moveInList(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  const at = rows.findIndex((row) => row === document.activeElement)
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step
  rows[next]?.focus({ preventScroll: true })
  rows[next]?.scrollIntoView({ block: 'nearest' })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, dialog, [contenteditable]') !== null

/** How long the second key of two may take. */
const pairMilliseconds = 1200
let first: { readonly key: string; readonly until: number } | undefined

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const pair = first !== undefined && first.until > Date.now() ? `${first.key} ${event.key}` : ''
  first = undefined
  const found = keys.find((key) => key.keys === pair) ?? keys.find((key) => key.keys === event.key)
  if (found !== undefined) {
    event.preventDefault()
    found.run()
  } else if (keys.some((key) => key.keys.startsWith(`${event.key} `)))
    first = { key: event.key, until: Date.now() + pairMilliseconds }
})
