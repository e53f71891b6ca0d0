import type { Signal } from '@preact/signals'
import { memo } from 'preact/compat'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { JobBrief } from '../../../src/server/schemas/job.ts'
import { briefBytes } from '../../../src/render/units/brief-figures.ts'
import { notMeasured } from '../../../src/render/units/figures.ts'
import { momentSeconds } from '../../moment.ts'
import { Status } from '../../parts/status.tsx'
import { Ago, Elapsed } from '../../parts/time.tsx'
import { durationWords } from '../../parts/duration-words.ts'
import { coresWords } from '../../parts/cores-words.ts'
import { ShareFigure } from '../../parts/share-figure.tsx'
import { useSeenRows } from './seen-rows.ts'

/** Any number of jobs, of which only those are drawn that are near the window. */
export function JobTable({
  jobs,
  isAll,
  more,
  chosen,
}: {
  readonly jobs: readonly JobBrief[]
  readonly isAll: boolean
  readonly more: () => void
  readonly chosen: Signal<readonly string[]>
}) {
  const table = useRef<HTMLTableElement>(null)
  const { first, last, rowPixels } = useSeenRows(table, jobs.length)
  useLayoutEffect(() => {
    if (last >= jobs.length && !isAll) more()
  }, [last, jobs.length, isAll])
  const seen = jobs.slice(first, last)
  return (
    <div class="job-table">
      <table ref={table} aria-rowcount={isAll ? jobs.length + 1 : -1}>
        <caption>Jobs, the newest first</caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="choose">
              <span class="unseen">Compare</span>
            </th>
            <th scope="col">Job</th>
            <th scope="col" class="status-cell">
              Status
            </th>
            <th scope="col" class="user-cell">
              User
            </th>
            <th scope="col" class="time-cell">
              Started
            </th>
            <th scope="col" class="figure">
              Duration
            </th>
            <th scope="col" class="figure cores-cell">
              Cores, mean
            </th>
            <th scope="col" class="figure">
              Memory, peak
            </th>
          </tr>
        </thead>
        <tbody>
          <Room pixels={first * rowPixels} />
          {seen.map((job, index) => (
            <JobRow
              key={job.task_id}
              job={job}
              rowIndex={first + index + 2}
              chosen={chosen}
              isChosen={chosen.value.includes(job.task_id)}
            />
          ))}
          <Room pixels={Math.max(0, jobs.length - last) * rowPixels} />
        </tbody>
      </table>
    </div>
  )
}

/** As high as the rows that are not drawn. */
const Room = ({ pixels }: { readonly pixels: number }) =>
  pixels === 0 ? null : (
    <tr class="room" aria-hidden="true">
      {/* One that spans columns which are hidden would bring them back, empty. */}
      <td style={{ height: `${pixels}px` }} />
    </tr>
  )

interface RowProps {
  readonly job: JobBrief
  readonly rowIndex: number
  readonly chosen: Signal<readonly string[]>
  readonly isChosen: boolean
}

const JobRow = memo(
  ({ job, rowIndex, chosen, isChosen }: RowProps) => {
    const start = momentSeconds(job.start_time)
    const { cpus, memory_bytes: memory } = job.requirements
    const { cpu_percent_mean: cores, memory_peak_bytes: peak } = job.usage
    return (
      <tr aria-rowindex={rowIndex} class={isChosen ? 'chosen' : undefined}>
        <td class="choose">
          <input
            type="checkbox"
            aria-label={`Compare ${job.name}`}
            checked={isChosen}
            onChange={() => choose(chosen, job.task_id)}
          />
        </td>
        <th scope="row" class="name-cell">
          <a class="stretched" data-row href={`/jobs/${job.task_id}`}>
            {job.name}
          </a>
          <small>{underName(job)}</small>
        </th>
        <td class="status-cell">
          <Status status={job.status} />
        </td>
        <td class="user-cell">{job.user}</td>
        <td class="time-cell">
          <Ago at={start} />
        </td>
        <td class="figure">
          {job.status === 'running' && start !== null ? (
            <Elapsed since={start} />
          ) : (
            durationWords(job.duration_seconds, job.lower_bounds)
          )}
        </td>
        <td class="figure cores-cell">
          <ShareFigure
            used={cores === null ? null : cores / 100}
            of={cpus}
            words={coresWords}
            isLowerBound={job.lower_bounds.includes('cpu_percent_mean')}
          />
        </td>
        <td class="figure">
          <ShareFigure
            used={peak}
            of={memory}
            words={briefBytes}
            isLowerBound={job.lower_bounds.includes('memory_peak_bytes')}
          />
        </td>
      </tr>
    )
  },
  (a, b) => a.job === b.job && a.rowIndex === b.rowIndex && a.isChosen === b.isChosen,
)

/** Why it did not succeed; else what it is. */
function underName({ status, error, tool, tags }: JobBrief): string {
  if (error !== null && status !== 'success') return error
  return [tool, ...tags].join(' · ') || notMeasured
}

/** Two can be compared: the third takes the place of the first. */
function choose(chosen: Signal<readonly string[]>, taskId: string): void {
  const others = chosen.value.filter((id) => id !== taskId)
  chosen.value = others.length < chosen.value.length ? others : [...others, taskId].slice(-2)
}
