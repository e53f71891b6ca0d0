import { query } from '../../route.ts'

const tabs = [
  ['graph', 'Graph'],
  ['timeline', 'Timeline'],
  ['jobs', 'Jobs'],
  ['resources', 'Resources'],
  ['requests', 'Next time'],
  ['plan', 'Plan'],
  ['runs', 'Runs'],
] as const
export type Tab = (typeof tabs)[number][0]

export const tabIn = (given: URLSearchParams): Tab =>
  tabs.find(([tab]) => tab === given.get('tab'))?.[0] ?? 'graph'

/** Which part of the workflow is looked at. Each is a link: it can be opened elsewhere, and sent to somebody. */
export function Tabs({ tab, id }: { readonly tab: Tab; readonly id: number }) {
  return (
    <nav class="tabs actions" aria-label="Parts of the workflow">
      <ul>
        {tabs.map(([each, name]) => (
          <li key={each}>
            <a href={addressOf(id, each)} aria-current={each === tab ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** What is chosen in the other parts stays chosen. */
function addressOf(id: number, tab: Tab): string {
  const next = new URLSearchParams(query.value)
  if (tab === 'graph') next.delete('tab')
  else next.set('tab', tab)
  const text = next.toString()
  return `/workflows/${id}${text === '' ? '' : `?${text}`}`
}
