import { computed, signal } from '@preact/signals'

/** Where the reader is: the address holds the whole view, so that a link to it shows the same. */
const address = signal(new URL(location.href))

export const path = computed(() => address.value.pathname)
export const query = computed(() => address.value.searchParams)

/** How many pages were gone to since this one was loaded: the heading of each new one gets the focus. */
export const visits = signal(0)

/** Goes to another page of the dashboard. */
export function go(to: string): void {
  history.pushState(null, '', to)
  arrive()
  scrollTo(0, 0)
}

/** Says by its whole name what a shorter address led to; what is asked of it stays. */
export function replacePath(to: string): void {
  history.replaceState(null, '', `${to}${location.search}${location.hash}`)
  address.value = new URL(location.href)
}

/** Changes a part of the view. One that is changed all the time, as while zooming, leaves no way back for each change. */
export function setQuery(
  changes: Readonly<Record<string, string | null>>,
  leaves: 'a way back' | 'no trace' = 'no trace',
): void {
  const next = new URL(location.href)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.searchParams.delete(name)
    else next.searchParams.set(name, value)
  }
  if (next.href === address.value.href) return
  if (leaves === 'a way back') history.pushState(null, '', next)
  else history.replaceState(null, '', next)
  address.value = next
}

function arrive(): void {
  const next = new URL(location.href)
  if (next.pathname !== address.value.pathname) visits.value++
  address.value = next
}

addEventListener('popstate', arrive)

/** Links of the dashboard are followed without loading it again; those that open elsewhere stay as they are. */
addEventListener('click', (event) => {
  const link = (event.target as Element | null)?.closest('a')
  if (link === null || link === undefined || event.defaultPrevented || event.button !== 0) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const to = new URL(link.href, location.href)
  if (to.origin !== location.origin || link.target !== '' || link.hasAttribute('download')) return
  if (
    /^\/(api|sign-in)(\/|$)/.test(to.pathname) ||
    (to.pathname === location.pathname && to.hash !== '')
  )
    return
  event.preventDefault()
  go(`${to.pathname}${to.search}`)
})
