import type { ReportData } from '../../render/page/report-content.ts'
import { byId, element } from '../dom.ts'

/** Title, facts, and the button that changes between a light and a dark page. */
export function showHeader(report: ReportData): void {
  document.title = `${report.title} – jobmeter report`
  document.querySelector('h1')?.replaceChildren(report.title)
  byId('made').textContent = `Made by ${report.made}. 100% is one core; 1 GB is 1024³ bytes.`
  byId('facts').append(
    ...report.facts.map(([name, fact]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, fact)),
    ),
  )
  followTheme(byId('theme'), document.documentElement.dataset)
}

function followTheme(button: HTMLElement, chosen: DOMStringMap): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const isDark = (): boolean => (chosen['theme'] ?? (system.matches ? 'dark' : 'light')) === 'dark'
  const tell = (): void => button.setAttribute('aria-pressed', String(isDark()))
  button.addEventListener('click', () => {
    chosen['theme'] = isDark() ? 'light' : 'dark'
    tell()
  })
  system.addEventListener('change', tell)
  tell()
}
