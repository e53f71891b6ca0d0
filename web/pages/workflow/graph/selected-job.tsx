import type { JobGroups } from '../../../../src/analysis/workflow/graph/job-groups.ts'
import { count } from '../../../../src/model/count.ts'
import { briefBytes } from '../../../../src/render/units/brief-figures.ts'
import { formatCount, orDash } from '../../../../src/render/units/figures.ts'
import { durationWords } from '../../../parts/duration-words.ts'
import { Copy } from '../../../parts/copy.tsx'
import { Status } from '../../../parts/status.tsx'
import { setQuery } from '../../../route.ts'
import type { JobNow } from '../job-now.ts'

/** The job that was selected: what it is, and what it waits for. */
export function SelectedJob({
  job: index,
  jobs,
  groups,
  dependents,
}: {
  readonly job: number
  readonly jobs: readonly JobNow[]
  readonly groups: JobGroups
  readonly dependents: readonly (readonly number[])[]
}) {
  const job = jobs[index]
  if (job === undefined) return null
  const named = (places: readonly number[] = []) => places.flatMap((place) => jobs[place] ?? [])
  return (
    <aside class="card selected-job" aria-label={`Selected: ${job.name}`}>
      <div class="failure-head">
        <strong>{job.name}</strong>
        <Status status={job.state} />
        <div class="actions">
          {job.taskId !== null && (
            <a class="button strong-button" href={`/jobs/${job.taskId}`}>
              Open the job
            </a>
          )}{' '}
          <button type="button" onClick={() => setQuery({ job: null })}>
            Close
          </button>
        </div>
      </div>
      <div class="command whole">
        <code>{job.command}</code>
        <Copy text={job.command} />
      </div>
      <dl class="facts">
        <div>
          <dt>Took</dt>
          <dd>{durationWords(job.durationSeconds, job.lowerBounds)}</dd>
        </div>
        <div>
          <dt>Memory</dt>
          <dd>{orDash(job.memoryPeakBytes, briefBytes)}</dd>
        </div>
        <div>
          <dt>Attempts</dt>
          <dd>{formatCount(job.attempts)}</dd>
        </div>
      </dl>
      <Neighbours
        title="Waits for"
        none="Nothing: it can start at once."
        jobs={named(groups.waitsFor[index])}
      />
      <Neighbours
        title="Wait for it"
        none="Nothing waits for it."
        jobs={named(dependents[index])}
      />
    </aside>
  )
}

const mostNamed = 12

function Neighbours({
  title,
  none,
  jobs,
}: {
  readonly title: string
  readonly none: string
  readonly jobs: readonly JobNow[]
}) {
  return (
    <div class="neighbours">
      <span class="quiet">{title}</span>
      {jobs.length === 0 && <span>{none}</span>}
      {jobs.slice(0, mostNamed).map((job) => (
        <button
          key={job.jobId}
          type="button"
          class="tag"
          onClick={() => setQuery({ job: String(job.jobId) })}
        >
          {job.name}
        </button>
      ))}
      {jobs.length > mostNamed && (
        <span class="quiet">and {count(jobs.length - mostNamed, 'more', 'more')}</span>
      )}
    </div>
  )
}
