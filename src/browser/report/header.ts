import type { ReportData } from '../../render/page/report-content.ts'
import { byId, factLine } from '../dom.ts'
import { followTheme } from '../theme-button.ts'

/** Title, facts, and the button that changes between a light and a dark page. */
export function showHeader(report: ReportData): void {
  document.title = `${report.title} – jobmeter report`
  document.querySelector('h1')?.replaceChildren(report.title)
  byId('made').textContent = `Made by ${report.made}. 100% is one core; 1 GB is 1024³ bytes.`
  byId('facts').append(...report.facts.map(factLine))
  followTheme()
}
