import { reportResources } from '../../render/page/report-resources.ts'
import type { ReportData, ReportJob } from '../../render/page/report-content.ts'
import { notMeasured } from '../../render/units/figures.ts'
import { element } from '../dom.ts'
import { choice } from './choice.ts'
import { keepDrawn } from './keep-drawn.ts'
import { resourceBars } from './resource-bars.ts'
import { resourceBoxes } from './resource-boxes.ts'
import { titles, units, type View } from './resource-view.ts'
import { section } from './section.ts'
import { rows, shareCell } from './table-parts.ts'

/** Each resource over all jobs, as measured or in percent of the request; and how it is spread within groups. */
export function showResources(report: ReportData): void {
  if (report.jobs.length === 1) showOneJob(report)
  else if (report.jobs.some((job) => job.bars.length > 0)) showAllJobs(report)
}

function showOneJob({ jobs: [job] }: ReportData): void {
  if (job === undefined) return
  section(
    'resources',
    'Resources',
    'What the job used, as measured and in percent of what it asked for.',
  ).append(jobResources(job))
}

/** What one job used, and what it had asked for. */
export const jobResources = (job: ReportJob): HTMLElement =>
  rows(
    'Resources of the job',
    [
      ['Resource'],
      ['Most used', 'figure'],
      ['Mean', 'figure'],
      ['Requested', 'figure'],
      ['of request', 'figure'],
    ],
    reportResources.map((resource) => {
      const use = job.use[resource]
      const { text, mean, requestText } = use
      const cells = [titles[resource], text, mean ?? notMeasured, requestText ?? notMeasured]
      return [...cells, shareCell(use)]
    }),
  )

const showAllJobs = (report: ReportData): void =>
  drawResources(section('resources', 'Resources', resourcesNote), report)

export const resourcesNote = 'Every job as a bar, the largest first; the line is what it asked for.'

/** Draws the resources of all jobs in a place that is in the page; whoever keeps what is chosen is told of it. */
export function drawResources(
  place: HTMLElement,
  { jobs, groups }: ReportData,
  chosen: View = { resource: 'memory', unit: 'raw' },
  onChange: (view: View) => void = () => {},
): void {
  let view = chosen
  const bars = element('div', { class: 'bars' })
  const boxes = element('div', { class: 'boxes' })
  const heading = element(
    'h3',
    {},
    'By group',
    element('small', {}, 'median, middle half, range and outliers'),
  )
  const redraws: (() => void)[] = []
  const change = (changes: Partial<View>): void => {
    view = { ...view, ...changes }
    onChange(view)
    for (const redraw of redraws) redraw()
  }
  const named = reportResources.map((resource) => [resource, titles[resource]] as const)
  place.append(
    element(
      'div',
      { class: 'choices' },
      choice('Resource', 'resource', named, view.resource, (resource) => change({ resource })),
      choice('Shown', 'unit', units, view.unit, (unit) => change({ unit })),
    ),
    bars,
    heading,
    boxes,
  )
  redraws.push(
    keepDrawn(bars, (width) => resourceBars(bars, jobs, view, width)),
    keepDrawn(boxes, (width) => resourceBoxes(boxes, groups, view, width)),
  )
}
