import type { ReportData, ReportJob } from '../../render/page/report-content.ts'
import { formatCount } from '../../render/units/figures.ts'
import { element } from '../dom.ts'
import { jobTableColumns, type JobColumn } from './job-columns.ts'
import { jobFilter } from './job-filter.ts'
import { inOrderOf, type JobOrder } from './job-order.ts'
import { section } from './section.ts'
import type { ShowOnly } from './timeline.ts'

const linesAtFirst = 200

/** All jobs in a table that can be searched and sorted; the timeline shows those that were found. */
export function showJobs({ jobs, states }: ReportData, timeline: ShowOnly): void {
  if (jobs.length === 0) return
  const columns = jobTableColumns(jobs)
  const place = section('jobs', jobs.length === 1 ? 'Job' : 'Jobs')
  const body = element('tbody')
  const more = element('button', { type: 'button', class: 'more' })
  const lineOf = lineMaker(columns)
  let limit = linesAtFirst
  let sorted = jobs
  let matching = jobs

  const show = (): void => {
    body.replaceChildren(...matching.slice(0, limit).map(lineOf))
    more.hidden = matching.length <= limit
    more.textContent = `Show all ${formatCount(matching.length)}`
    const found = matching.length === jobs.length ? '' : `${formatCount(matching.length)} of `
    filter.count.textContent = `${found}${formatCount(jobs.length)} jobs`
  }
  const showAll = (): void => {
    limit = Infinity
    show()
  }
  let pending = 0
  const find = (): void => {
    matching = sorted.filter(filter.takes)
    show()
    // The timeline follows in the next frame, so that typing is never held up.
    cancelAnimationFrame(pending)
    pending = requestAnimationFrame(() => timeline(matching))
  }
  const filter = jobFilter(jobs, Object.keys(states), find)
  const headers = sortableHeaders(columns, (order) => {
    sorted = inOrderOf(sorted, order)
    find()
  })

  if (jobs.length > 1) place.append(filter.form)
  place.append(jobTable(headers, body, jobs.length === 1), more)
  more.addEventListener('click', showAll)
  addEventListener('beforeprint', showAll)
  show()
}

const jobTable = (
  headers: readonly HTMLElement[],
  body: HTMLElement,
  isOne: boolean,
): HTMLElement =>
  element(
    'div',
    {
      class: isOne ? 'scroll jobs one' : 'scroll jobs',
      tabindex: '0',
      role: 'region',
      'aria-label': 'Table of jobs',
    },
    element(
      'table',
      {},
      element('caption', {}, 'All jobs, what they used and what they asked for'),
      element('thead', {}, element('tr', {}, ...headers)),
      body,
    ),
  )

/** The headings, each a button that sorts by its column; once more sorts the other way round. */
function sortableHeaders(
  columns: readonly JobColumn[],
  sort: (order: JobOrder) => void,
): HTMLElement[] {
  let direction: 1 | -1 = 1
  let sortedBy: JobColumn | undefined
  const headers = columns.map((column) => {
    const { title, kind, key, firstDirection = -1 } = column
    if (key === undefined) return element('th', { scope: 'col', class: kind }, title)
    const onclick = (): void => {
      direction = sortedBy !== column ? firstDirection : direction === 1 ? -1 : 1
      sortedBy = column
      tellOrder()
      sort({ key, direction })
    }
    const button = element('button', { type: 'button', onclick }, title)
    return element('th', { scope: 'col', class: kind, 'aria-sort': 'none' }, button)
  })
  const tellOrder = (): void => {
    for (const [index, header] of headers.entries()) {
      const isSorted = columns[index] === sortedBy
      const order = !isSorted ? 'none' : direction > 0 ? 'ascending' : 'descending'
      if (header.hasAttribute('aria-sort')) header.setAttribute('aria-sort', order)
    }
  }
  return headers
}

/** A line is made when it is first shown: most pages are never searched to their end. */
function lineMaker(columns: readonly JobColumn[]): (job: ReportJob) => HTMLElement {
  const made = new Map<ReportJob, HTMLElement>()
  return (job) => {
    const known = made.get(job)
    if (known !== undefined) return known
    const cells = columns.map(({ title, kind, isName, cell, hint }) =>
      isName
        ? element('th', { class: kind, scope: 'row', 'data-label': title }, cell(job))
        : element('td', { class: kind, title: hint?.(job), 'data-label': title }, cell(job)),
    )
    const line = element('tr', { 'data-job': job.id }, ...cells)
    made.set(job, line)
    return line
  }
}
