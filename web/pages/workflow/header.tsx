import { shortTime } from '../../../src/render/units/zoned-time.ts'
import { momentSeconds } from '../../moment.ts'
import { Status } from '../../parts/status.tsx'
import { Title } from '../../parts/title.tsx'
import { workflowStatus } from '../workflows/progress-words.ts'
import { Actions } from './actions.tsx'
import type { WorkflowNow } from './read.ts'
import { Fact } from '../../parts/fact.tsx'

/** What it is, how it stands, who made it, and what can be done with it. */
export function WorkflowHeader({ workflow }: { readonly workflow: WorkflowNow }) {
  const { head, progress } = workflow
  const { description } = head.workflow
  const made = momentSeconds(head.created_at)
  return (
    <>
      <div class="page-head job-head">
        <Title name={head.name} />
        <Status status={workflowStatus(progress)} />
        <Actions workflow={workflow} />
      </div>
      {typeof description === 'string' && description !== '' && <p class="lead">{description}</p>}
      <dl class="facts">
        <Fact name="User">
          <a href={`/jobs?user=${encodeURIComponent(head.user)}`}>{head.user}</a>
        </Fact>
        <Fact name="Workflow">{head.workflow_id}</Fact>
        <Fact name="Made">{made === null ? '–' : shortTime(made, 'local')}</Fact>
        <Fact name="File">{head.spec_path}</Fact>
        {head.runner !== null && progress.is_being_run && (
          <Fact name="Run by">
            process {head.runner.pid} on {head.runner.host}
          </Fact>
        )}
      </dl>
    </>
  )
}
