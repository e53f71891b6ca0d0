import '../style/workflow.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { formatCount } from '../../src/render/units/figures.ts'
import type { WorkflowHead, WorkflowList } from '../../src/server/schemas/workflow.ts'
import { useAsked } from '../asked.ts'
import { changedWorkflows } from '../live/news.ts'
import { resets } from '../live/stream.ts'
import { Choice } from '../parts/choice.tsx'
import { Empty } from '../parts/empty.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Title } from '../parts/title.tsx'
import { query, setQuery } from '../route.ts'
import { inOrderOfCare } from './workflows/progress-words.ts'
import { WorkflowLine } from './workflows/workflow-line.tsx'

const shows = [
  ['all', 'All'],
  ['running', 'Being run'],
  ['failed', 'With failures'],
] as const
type Shown = (typeof shows)[number][0]

const pageSize = 100

export default function Workflows() {
  const wanted = useSignal(pageSize)
  const fresh = useSignal(0)
  const path = `/workflows?limit=${Math.min(500, wanted.value)}`
  const { value, error, isWaiting } = useAsked<WorkflowList>(path, resets.value + fresh.value).value
  const changed = changedWorkflows.value
  const known = new Set(value?.workflows.map(({ workflow_id: id }) => id))
  const isNew = value !== undefined && [...changed.keys()].some((id) => !known.has(id))
  // One that was made since the list was read is read with all that lists show.
  useEffect(() => {
    if (isNew && !isWaiting) fresh.value++
  }, [isNew, changed.size])
  const all = (value?.workflows ?? []).map((head): WorkflowHead => ({
    ...head,
    progress: changed.get(head.workflow_id) ?? head.progress,
  }))
  const shown = shownIn(query.value.get('show'))
  const workflows = inOrderOfCare(all.filter(belongsTo(shown)))
  return (
    <>
      <div class="page-head">
        <Title name="Workflows" />
        <span class="quiet" role="status">
          {value !== undefined && countWords(workflows.length, value.next_cursor === null)}
        </span>
      </div>
      {error !== undefined && <ProblemNote error={error} retry={() => resets.value++} />}
      {all.length > 0 && (
        <div class="choices">
          <Choice
            legend="Which workflows"
            name="show"
            options={shows}
            chosen={shown}
            take={(each) => setQuery({ show: each === 'all' ? null : each })}
          />
        </div>
      )}
      {workflows.length > 0 ? (
        <ul class="lines workflow-list" aria-label="Workflows">
          {workflows.map((head) => (
            <WorkflowLine key={head.workflow_id} head={head} />
          ))}
        </ul>
      ) : (
        value !== undefined && <Nothing isNarrowed={all.length > 0} />
      )}
      {(value?.next_cursor ?? null) !== null && wanted.value < 500 && (
        <button type="button" class="more" onClick={() => (wanted.value += pageSize)}>
          Show more
        </button>
      )}
      {value === undefined && error === undefined && <p class="loading">Reading…</p>}
    </>
  )
}

const Nothing = ({ isNarrowed }: { readonly isNarrowed: boolean }) =>
  isNarrowed ? (
    <Empty title="No workflow is like this">Choose another kind above.</Empty>
  ) : (
    <Empty title="No workflow yet" command="jobmeter run pipeline.yaml">
      A workflow is a file that says which jobs there are and which wait for which. Run one, and it
      is shown here while it runs.
    </Empty>
  )

const shownIn = (text: string | null): Shown => shows.find(([each]) => each === text)?.[0] ?? 'all'

const belongsTo =
  (shown: Shown) =>
  ({ progress }: WorkflowHead): boolean =>
    shown === 'all' || (shown === 'running' ? progress.is_being_run : progress.failed > 0)

const countWords = (count: number, isAll: boolean): string =>
  `${isAll ? '' : 'the newest '}${formatCount(count)} ${count === 1 ? 'workflow' : 'workflows'}`
