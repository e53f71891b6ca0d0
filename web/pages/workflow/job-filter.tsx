import { useSignal } from '@preact/signals'
import { jobStates } from '../../../src/model/job-state.ts'
import { unsuccessful } from '../../../src/model/outcome.ts'
import { formatCount } from '../../../src/render/units/figures.ts'
import { query, setQuery } from '../../route.ts'
import type { JobNow } from './job-now.ts'
import type { WorkflowNow } from './read.ts'

const didNot = unsuccessful.join(',')
const pauseMilliseconds = 120

/** The jobs that the address asks for: by a part of their names, and by how they stand. */
export function filterJobs(jobs: readonly JobNow[], asked: URLSearchParams): readonly JobNow[] {
  const search = asked.get('search')?.toLowerCase() ?? ''
  const states = asked.get('state')?.split(',') ?? []
  if (search === '' && states.length === 0) return jobs
  return jobs.filter(
    ({ name, state }) =>
      name.toLowerCase().includes(search) && (states.length === 0 || states.includes(state)),
  )
}

/** Narrows the jobs that are shown; the graph, the timeline and the table go by the same. */
export function JobFilter({ workflow: { jobs = [] } }: { readonly workflow: WorkflowNow }) {
  const timer = useSignal<ReturnType<typeof setTimeout> | undefined>(undefined)
  const asked = query.value
  const found = filterJobs(jobs, asked).length
  const state = asked.get('state') ?? ''
  return (
    <form
      class="filter"
      role="search"
      aria-label="Jobs"
      onSubmit={(event) => event.preventDefault()}
    >
      <label class="wide">
        <span class="unseen">Name of the job</span>
        <input
          type="search"
          placeholder="Name of the job"
          value={asked.get('search') ?? ''}
          onInput={({ currentTarget }) => {
            clearTimeout(timer.peek())
            const search = currentTarget.value.trim()
            timer.value = setTimeout(() => setQuery({ search }), pauseMilliseconds)
          }}
        />
      </label>
      <select
        aria-label="State"
        value={state}
        onChange={({ currentTarget }) => setQuery({ state: currentTarget.value })}
      >
        <option value="">any state</option>
        <option value={didNot}>did not succeed</option>
        {jobStates.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      {(state !== '' || asked.has('search')) && (
        <button type="button" onClick={() => setQuery({ search: null, state: null })}>
          Clear
        </button>
      )}
      <output>
        {found === jobs.length ? '' : `${formatCount(found)} of `}
        {formatCount(jobs.length)} {jobs.length === 1 ? 'job' : 'jobs'}
      </output>
    </form>
  )
}
