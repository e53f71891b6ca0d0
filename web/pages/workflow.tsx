import '../style/jobs.css'
import '../style/job.css'
import '../style/workflow.css'
import { resets } from '../live/stream.ts'
import { ProblemPage } from '../parts/problem.tsx'
import { query } from '../route.ts'
import { Failures } from './workflow/failures.tsx'
import { Graph } from './workflow/graph.tsx'
import { WorkflowHeader } from './workflow/header.tsx'
import { Jobs } from './workflow/jobs.tsx'
import { Plan } from './workflow/plan.tsx'
import { Progress } from './workflow/progress.tsx'
import { useReport, useWorkflow } from './workflow/read.ts'
import { Requests } from './workflow/requests.tsx'
import { Resources } from './workflow/resources.tsx'
import { Runs } from './workflow/runs.tsx'
import { Tabs, tabIn } from './workflow/tabs.tsx'
import { Timeline } from './workflow/timeline.tsx'

/** Everything about one workflow, while it runs and afterwards. */
export default function WorkflowPage({ id }: { readonly id: string }) {
  const { workflow, error } = useWorkflow(Number(id))
  const tab = tabIn(query.value)
  if (workflow === undefined)
    return error === undefined ? (
      <p class="loading">Reading…</p>
    ) : (
      <ProblemPage
        error={error}
        retry={() => resets.value++}
        all={['/workflows', 'All workflows']}
      />
    )
  return <Shown workflow={workflow} tab={tab} />
}

function Shown({
  workflow,
  tab,
}: {
  readonly workflow: Parameters<typeof WorkflowHeader>[0]['workflow']
  readonly tab: ReturnType<typeof tabIn>
}) {
  const report = useReport(workflow, tab)
  return (
    <div class="workflow-page">
      <WorkflowHeader workflow={workflow} />
      <Progress workflow={workflow} />
      <Failures workflow={workflow} />
      <Tabs tab={tab} id={workflow.id} />
      {tab === 'graph' && <Graph workflow={workflow} report={report.value} />}
      {tab === 'timeline' && <Timeline workflow={workflow} report={report} />}
      {tab === 'jobs' && <Jobs workflow={workflow} />}
      {tab === 'resources' && <Resources workflow={workflow} report={report} />}
      {tab === 'requests' && <Requests workflow={workflow} />}
      {tab === 'plan' && <Plan workflow={workflow} />}
      {tab === 'runs' && <Runs workflow={workflow} />}
    </div>
  )
}
