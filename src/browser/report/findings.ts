import type { ReportData } from '../../render/page/report-content.ts'
import { element, type Child } from '../dom.ts'
import { section } from './section.ts'
import { badge, shortened, type Header } from './table-parts.ts'

interface Finding {
  readonly title: string
  readonly caption: string
  readonly headers: readonly Header[]
  readonly lines: readonly (readonly Child[])[]
}

/** What is to be done about the outcome; nothing where all is well. */
export function showFindings(report: ReportData): void {
  const parts = findingParts(report)
  if (parts.length > 0) section('findings', 'What to look at').append(...parts)
}

export const findingParts = (report: ReportData): HTMLElement[] =>
  findings(report)
    .filter(({ lines }) => lines.length > 0)
    .flatMap(({ title, caption, headers, lines }) => [
      element('h3', {}, title),
      shortened(caption, headers, lines),
    ])

const findings = ({ failures, jobs, violations, recommendations }: ReportData): Finding[] => [
  {
    title: 'Did not succeed',
    caption: 'Jobs that did not succeed, and why',
    headers: [['Job'], ['Outcome'], ['Probable cause'], ['Evidence']],
    lines: failures.map(({ name, status, cause, evidence }) => [
      name,
      badge(status),
      cause,
      evidence,
    ]),
  },
  {
    title: 'Succeeded with a warning',
    caption: 'Jobs that succeeded although something went wrong',
    headers: [['Job'], ['Warning']],
    lines: jobs.flatMap(({ name, warning }) => (warning === null ? [] : [[name, warning]])),
  },
  {
    title: 'Used more than requested',
    caption: 'Usage above the request, the furthest above first',
    headers: [
      ['Job'],
      ['Resource'],
      ['Requested', 'figure'],
      ['Used', 'figure'],
      ['Over', 'figure'],
    ],
    lines: violations.map(({ name, resource, specified, used, over }) => [
      name,
      resource,
      specified,
      used,
      element('b', { class: 'over' }, over),
    ]),
  },
  {
    title: 'What to ask for next time',
    caption: 'Requests that should change',
    headers: [
      ['Requirement'],
      ['Resource'],
      ['Now', 'figure'],
      ['Better', 'figure'],
      ['Why'],
      ['Confidence'],
    ],
    lines: recommendations.map((each) => [
      each.requirement,
      each.resource,
      each.now,
      element('b', {}, each.suggested),
      each.reason,
      each.confidence,
    ]),
  },
]
