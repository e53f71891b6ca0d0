import { memo } from 'preact/compat'
import { useMemo, useRef } from 'preact/hooks'
import { briefBytes } from '../../../src/render/units/brief-figures.ts'
import { formatCount } from '../../../src/render/units/figures.ts'
import { Empty } from '../../parts/empty.tsx'
import { durationWords } from '../../parts/duration-words.ts'
import { coresWords } from '../../parts/cores-words.ts'
import { ShareFigure } from '../../parts/share-figure.tsx'
import { Status } from '../../parts/status.tsx'
import { Elapsed } from '../../parts/time.tsx'
import { query, setQuery } from '../../route.ts'
import { useSeenRows } from '../jobs/seen-rows.ts'
import { filterJobs, JobFilter } from './job-filter.tsx'
import { defaultOrder, inOrder, orderIn, sortColumns, type SortColumn } from './job-order.ts'
import type { JobNow } from './job-now.ts'
import type { WorkflowNow } from './read.ts'

/** Every job with what its latest attempt used, those that did not succeed first. */
export function Jobs({ workflow }: { readonly workflow: WorkflowNow }) {
  const { jobs } = workflow
  const asked = query.value
  const order = orderIn(asked.get('sort'))
  const shown = useMemo(
    () => inOrder(filterJobs(jobs ?? [], asked), order),
    [jobs, asked, order.column, order.direction],
  )
  if (jobs === undefined) return <p class="loading">Reading…</p>
  return (
    <section id="jobs" aria-label="Jobs">
      <JobFilter workflow={workflow} />
      {shown.length === 0 ? (
        <Empty title="No job is like this">Change the filter, or clear it.</Empty>
      ) : (
        <Table jobs={shown} />
      )}
    </section>
  )
}

const headings: Readonly<Record<SortColumn, string>> = {
  name: 'Job',
  state: 'State',
  attempts: 'Tries',
  time: 'Duration',
  cpu: 'Cores, mean',
  memory: 'Memory, peak',
}

function Table({ jobs }: { readonly jobs: readonly JobNow[] }) {
  const table = useRef<HTMLTableElement>(null)
  const { first, last, rowPixels } = useSeenRows(table, jobs.length)
  return (
    <div class="job-table workflow-jobs">
      <table ref={table} aria-rowcount={jobs.length + 1}>
        <caption>Jobs of the workflow</caption>
        <thead>
          <tr aria-rowindex={1}>
            {sortColumns.map((column) => (
              <Heading key={column} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Room pixels={first * rowPixels} />
          {jobs.slice(first, last).map((job, index) => (
            <Row key={job.jobId} job={job} rowIndex={first + index + 2} />
          ))}
          <Room pixels={Math.max(0, jobs.length - last) * rowPixels} />
        </tbody>
      </table>
    </div>
  )
}

function Heading({ column }: { readonly column: SortColumn }) {
  const order = orderIn(query.value.get('sort'))
  const isSorted = order.column === column
  const kind =
    column === 'name' ? undefined : column === 'state' ? 'status-cell' : `figure ${column}-cell`
  const sort = (): void => {
    const direction = isSorted && order.direction === 'down' ? 'up' : 'down'
    const next = `${column}-${direction}`
    setQuery({ sort: next === defaultOrder ? null : next })
  }
  return (
    <th
      scope="col"
      class={kind}
      aria-sort={!isSorted ? 'none' : order.direction === 'up' ? 'ascending' : 'descending'}
    >
      <button type="button" onClick={sort}>
        {headings[column]}
      </button>
    </th>
  )
}

/** As high as the rows that are not drawn. */
const Room = ({ pixels }: { readonly pixels: number }) =>
  pixels === 0 ? null : (
    <tr class="room" aria-hidden="true">
      <td colSpan={sortColumns.length} style={{ height: `${pixels}px` }} />
    </tr>
  )

const Row = memo(
  ({ job, rowIndex }: { readonly job: JobNow; readonly rowIndex: number }) => (
    <tr aria-rowindex={rowIndex}>
      <th scope="row" class="name-cell">
        {job.taskId === null ? (
          job.name
        ) : (
          <a class="stretched" data-row href={`/jobs/${job.taskId}`}>
            {job.name}
          </a>
        )}
        <small>{job.command}</small>
      </th>
      <td class="status-cell">
        <Status status={job.state} />
      </td>
      <td class="figure attempts-cell">{job.attempts === 0 ? '–' : formatCount(job.attempts)}</td>
      <td class="figure time-cell">
        {job.state === 'running' && job.startedAt !== null ? (
          <Elapsed since={job.startedAt} />
        ) : (
          durationWords(job.durationSeconds, job.lowerBounds)
        )}
      </td>
      <td class="figure cpu-cell">
        <ShareFigure
          used={job.cpuPercentMean === null ? null : job.cpuPercentMean / 100}
          of={job.requirements.cpus}
          words={coresWords}
          isLowerBound={job.lowerBounds.includes('cpu_percent_mean')}
        />
      </td>
      <td class="figure memory-cell">
        <ShareFigure
          used={job.memoryPeakBytes}
          of={job.requirements.memory_bytes}
          words={briefBytes}
          isLowerBound={job.lowerBounds.includes('memory_peak_bytes')}
        />
      </td>
    </tr>
  ),
  (a, b) => a.job === b.job && a.rowIndex === b.rowIndex,
)
