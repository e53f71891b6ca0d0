import { jobStates } from '../../model/job-state.ts'
import type { WorkflowMetrics } from '../../model/metric-facts.ts'
import type { FamilyOf, Labels } from './family.ts'
import { gauge } from './family-kinds.ts'

type Workflows = readonly WorkflowMetrics[]

const byWorkflow = ['workflow_id', 'workflow', 'user'] as const

const labelsOf = ({ workflowId, name, user }: WorkflowMetrics): Labels => ({
  workflow_id: String(workflowId),
  workflow: name,
  user,
})

const ofRun = (
  name: string,
  help: string,
  valueOf: (workflow: WorkflowMetrics) => number | null,
): FamilyOf<Workflows> =>
  gauge(`jobmeter_workflow_${name}`, byWorkflow, help, (workflows) =>
    workflows.map((one) => ({ labels: labelsOf(one), value: valueOf(one) })),
  )

export const workflowFamilies: readonly FamilyOf<Workflows>[] = [
  gauge(
    'jobmeter_workflow_jobs',
    [...byWorkflow, 'state'],
    'Jobs of workflows that are being run or whose last run ended within a day, by their state.',
    (workflows) =>
      workflows.flatMap((one) =>
        jobStates.map((state) => ({
          labels: { ...labelsOf(one), state },
          value: one.states[state],
        })),
      ),
  ),
  ofRun(
    'run_start_time_seconds',
    'When the last run was started, in seconds since 1970.',
    ({ runStartedAt }) => runStartedAt,
  ),
  ofRun(
    'run_end_time_seconds',
    'When the last run ended, in seconds since 1970; there is none while it runs.',
    ({ runEndedAt }) => runEndedAt,
  ),
]
