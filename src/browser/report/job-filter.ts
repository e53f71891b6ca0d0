import type { ReportJob } from '../../render/page/report-content.ts'
import { element } from '../dom.ts'

export interface JobFilter {
  readonly form: HTMLElement
  /** Where the number of jobs that were found is told. */
  readonly count: HTMLElement
  readonly takes: (job: ReportJob) => boolean
}

/** What is to be found in the table of jobs: words, a state, jobs that used more than they asked for. */
export function jobFilter(
  jobs: readonly ReportJob[],
  states: readonly string[],
  change: () => void,
): JobFilter {
  const search = element('input', {
    type: 'search',
    id: 'search',
    placeholder: 'name, group, state, reason',
    autocomplete: 'off',
    oninput: change,
  })
  const options = states.map((name) => element('option', { value: name }, name))
  const every = element('option', { value: '' }, 'all')
  const state = element('select', { id: 'state', onchange: change }, every, ...options)
  const over = element('input', { type: 'checkbox', id: 'over', onchange: change })
  const count = element('output', { for: 'search state over', 'aria-live': 'polite' })
  const form = element(
    'form',
    { class: 'filter', role: 'search', onsubmit: (event) => event.preventDefault() },
    element('label', { for: 'search' }, 'Search'),
    search,
    element('label', { for: 'state' }, 'State'),
    state,
    element('label', { class: 'check' }, over, 'over its request'),
    count,
  )
  const texts = new Map(jobs.map((job) => [job, searchedText(job)]))
  const takes = (job: ReportJob): boolean => {
    const wanted = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean)
    const text = texts.get(job) ?? ''
    return (
      wanted.every((word) => text.includes(word)) &&
      (state.value === '' || job.state === state.value) &&
      (!over.checked || Object.values(job.use).some(({ share }) => (share ?? 0) > 100))
    )
  }
  return { form, count, takes }
}

const searchedText = ({ id, name, group, state, reason }: ReportJob): string =>
  [id, name, group ?? '', state, reason ?? ''].join(' ').toLowerCase()
