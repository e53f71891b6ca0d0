import { memo } from 'preact/compat'
import type { Point } from '../../../../src/analysis/workflow/graph/layered-layout.ts'
import { count } from '../../../../src/model/count.ts'
import { StatesBar, statesWords } from '../../../parts/states-bar.tsx'
import { countStates, type JobNow } from '../job-now.ts'
import type { Box } from './boxes.ts'
import { StateMark } from './state-mark.tsx'

/** How a job is shown among the others. */
export interface Marked {
  readonly critical: ReadonlySet<number>
  /** Those that a filter has found; null: there is none. */
  readonly found: ReadonlySet<number> | null
  readonly selected: number | null
  /** Which of all nodes the Tab key goes to. */
  readonly active: string
}

interface BoxProps {
  readonly index: number
  readonly names: readonly string[]
  readonly members: readonly number[]
  readonly box: Box & Point
  readonly jobs: readonly JobNow[]
  readonly marked: Marked
}

/** A group of jobs, closed or open, or a job that is alone. */
export const GroupBox = memo(
  ({ index, names, members, box, jobs, marked }: BoxProps) => {
    const { x, y, width, height, kind } = box
    const place = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }
    if (kind === 'job')
      return (
        <div class="graph-box alone" style={place}>
          {members.map((job) => (
            <JobNode key={job} job={jobs[job]} index={job} kind="alone" marked={marked} />
          ))}
        </div>
      )
    const own = members.flatMap((job) => jobs[job] ?? [])
    const isCritical = members.some((job) => marked.critical.has(job))
    const isDim = marked.found !== null && !members.some((job) => marked.found?.has(job) === true)
    const states = countStates(own)
    const key = `group-${index}`
    return (
      <div
        class={classes('graph-box', kind, isCritical && 'critical', isDim && 'dim')}
        style={place}
      >
        <button
          type="button"
          class="box-head"
          data-node={key}
          data-group={index}
          aria-expanded={kind !== 'closed'}
          tabIndex={marked.active === key ? 0 : -1}
        >
          <span class="box-name">
            <strong title={names.join(', ')}>{names.join(', ')}</strong>
            <span class="box-count">{count(members.length, 'job')}</span>
          </span>
          <StatesBar states={states} />
          <small>
            {statesWords(states)}
            {isCritical && <span class="unseen">, on the critical path</span>}
          </small>
        </button>
        {box.jobs.map(({ job, ...at }) => (
          <div
            key={job}
            class="box-job"
            style={{
              left: `${at.x}px`,
              top: `${at.y}px`,
              width: `${at.width}px`,
              height: `${at.height}px`,
            }}
          >
            <JobNode
              job={jobs[job]}
              index={job}
              kind={kind === 'marks' ? 'mark' : 'name'}
              marked={marked}
            />
          </div>
        ))}
      </div>
    )
  },
  (a, b) => signature(a) === signature(b) && a.box === b.box,
)

/** All that the drawing of a box depends on, apart from its place. */
function signature({
  members,
  jobs,
  marked: { critical, found, selected, active },
}: BoxProps): string {
  const own = members.map((job) => {
    const { state, taskId } = jobs[job] ?? { state: '', taskId: null }
    return `${state}${taskId ?? ''}${critical.has(job) ? '!' : ''}${found?.has(job) === false ? '-' : ''}`
  })
  const isActive = active.startsWith('group-') || members.includes(Number(active.slice(4)))
  return `${own.join()} ${selected !== null && members.includes(selected) ? selected : ''} ${isActive ? active : ''}`
}

const classes = (...names: readonly (string | false)[]): string =>
  names.filter((name) => name !== false).join(' ')

/** A job: a link to its latest attempt; one that has not run yet can only be looked at. */
const JobNode = ({
  job,
  index,
  kind,
  marked: { critical, found, selected, active },
}: {
  readonly job: JobNow | undefined
  readonly index: number
  readonly kind: 'alone' | 'name' | 'mark'
  readonly marked: Marked
}) => {
  if (job === undefined) return null
  const isCritical = critical.has(index)
  const isDim = found !== null && !found.has(index)
  const key = `job-${index}`
  const shared = {
    class: classes(
      'graph-job',
      kind,
      job.state,
      isCritical && 'critical',
      isDim && 'dim',
      selected === index && 'selected',
    ),
    'data-node': key,
    'data-job': index,
    tabIndex: active === key ? 0 : -1,
    'aria-label': `${job.name}: ${job.state}${isCritical ? ', on the critical path' : ''}`,
  }
  // The same element before and after it began: one that took its place would take the focus from it.
  const link = job.taskId === null ? { role: 'button' as const } : { href: `/jobs/${job.taskId}` }
  return (
    <a {...shared} {...link}>
      <StateMark state={job.state} />
      {kind !== 'mark' && <span>{job.name}</span>}
    </a>
  )
}
