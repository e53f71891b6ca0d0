import { count } from '../../../src/model/count.ts'
import { briefSeconds } from '../../../src/render/units/brief-figures.ts'
import { formatCount } from '../../../src/render/units/figures.ts'
import type { WorkflowHead } from '../../../src/server/schemas/workflow.ts'
import { now } from '../../clock.ts'
import { momentSeconds } from '../../moment.ts'
import { StatesBar, statesWords } from '../../parts/states-bar.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago, Elapsed } from '../../parts/time.tsx'
import { estimateWords, workflowStatus } from './progress-words.ts'

/** A workflow in a list: how far it is, what failed, who runs it and when it ends. */
export function WorkflowLine({ head }: { readonly head: WorkflowHead }) {
  const { progress } = head
  const { run_id: runId } = progress
  return (
    <li class="workflow-line">
      <div class="workflow-name">
        <a class="stretched" data-row href={`/workflows/${head.workflow_id}`}>
          {head.name}
        </a>
        <small>
          {head.user} · {count(progress.total, 'job')} ·{' '}
          {runId === null ? 'not run yet' : count(runId, 'run')}
        </small>
      </div>
      <Status status={workflowStatus(progress)} />
      <div class="workflow-bar">
        <StatesBar states={progress.states} />
        <small>{statesWords(progress.states)}</small>
      </div>
      <div class="workflow-share">
        <strong>{shareWords(progress)}</strong>
        {progress.failed > 0 && (
          <small class="bad">{formatCount(progress.failed)} did not succeed</small>
        )}
      </div>
      <div class="workflow-time">
        <When head={head} />
      </div>
    </li>
  )
}

const shareWords = ({ done, total }: WorkflowHead['progress']): string =>
  total === 0 ? 'no jobs' : `${Math.floor((100 * done) / total)}% done`

function When({ head: { progress, created_at: created } }: { readonly head: WorkflowHead }) {
  const { run_started_at: started, run_ended_at: ended, estimate } = progress
  if (progress.is_being_run && started !== null)
    return (
      <>
        <span>
          for <Elapsed since={started} />
        </span>
        {estimate !== null && <small>about {estimateWords(estimate, now.value).about} left</small>}
      </>
    )
  return (
    <>
      <Ago at={ended ?? started ?? momentSeconds(created)} />
      {started !== null && ended !== null && (
        <small>took {briefSeconds(Math.max(0, ended - started)) || '0s'}</small>
      )}
    </>
  )
}
