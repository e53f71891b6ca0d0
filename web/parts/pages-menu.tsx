import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { hasNodes } from '../has-nodes.ts'
import { firingAlerts } from '../live/alerts.ts'
import { menuPages } from '../pages.ts'
import { path } from '../route.ts'
import { MenuIcon } from './icons.tsx'

const isAt = (to: string): boolean =>
  to === '/' ? path.value === '/' : path.value === to || path.value.startsWith(`${to}/`)

/** The pages; in a narrow window a menu of them. */
export function PagesMenu() {
  const isOpen = useSignal(false)
  useEffect(() => {
    isOpen.value = false
  }, [path.value])
  const shown = menuPages.filter(
    ({ path: to, isOfNodes }) => hasNodes.value || isAt(to) || !isOfNodes,
  )
  const unseen = firingAlerts.value.filter((alert) => alert.acknowledged_at === null).length
  return (
    <nav aria-label="Pages">
      <button
        type="button"
        class="menu-button"
        aria-expanded={isOpen.value}
        aria-controls="pages"
        aria-label="Menu"
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <MenuIcon />
      </button>
      <ul id="pages" class={isOpen.value ? 'pages open' : 'pages'}>
        {shown.map(({ name, path: to }) => (
          <li key={to}>
            <a href={to} aria-current={isAt(to) ? 'page' : undefined}>
              {name}
              {to === '/alerts' && unseen > 0 && (
                <span class="count">
                  {unseen}
                  <span class="unseen"> new</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
