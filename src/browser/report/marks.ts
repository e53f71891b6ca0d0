import type { ReportData } from '../../render/page/report-content.ts'
import { section } from './section.ts'
import { shortened, type Header } from './table-parts.ts'

const headers: readonly Header[] = [
  ['Job'],
  ['Part'],
  ['From', 'figure'],
  ['To', 'figure'],
  ['Lasted', 'figure'],
  ['Steps', 'figure'],
  ['CPU', 'figure'],
  ['Memory peak', 'figure'],
]

/** What jobs did between marks that their programs set; nothing where there are none. */
export function showMarks({ marks }: ReportData): void {
  if (marks.length === 0) return
  section('marks', 'Epochs and phases', 'As the jobs themselves told of them.').append(
    marksTable(marks),
  )
}

export const marksTable = (marks: ReportData['marks']): HTMLElement =>
  shortened('Epochs and phases of jobs', headers, marks)
