import type { LeftElsewhere } from '../../model/elsewhere.ts'
import type { WorkflowHead } from '../../model/workflow-head.ts'
import { workflowProgress } from '../../analysis/workflow/workflow-results.ts'
import { formatCount, notMeasured } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'
import { leftText, noWorkflowsYet } from './workflow-words.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'

const columns = [
  { header: 'ID', align: 'right' },
  { header: 'Name', align: 'left' },
  { header: 'User', align: 'left' },
  { header: 'Created', align: 'left' },
  { header: 'Jobs', align: 'right' },
  { header: 'Success', align: 'right' },
  { header: 'Failed', align: 'right' },
  { header: 'Running', align: 'right' },
  { header: 'Waiting', align: 'right' },
  { header: 'Latest Run', align: 'right' },
] as const

/** All workflows, in the order given, and what runners that are gone have left of them elsewhere. */
export function workflowListText(
  workflows: readonly WorkflowHead[],
  left: readonly LeftElsewhere[],
  style: Style,
  zone: Zone,
): string {
  if (workflows.length === 0) return `${noWorkflowsYet}\n`
  const [header = '', ...rows] = table(
    columns,
    workflows.map((workflow) => cells(workflow, zone)),
  ).split('\n')
  const notes = left.map((each) => `Workflow ${each.workflowId}: ${leftText(each)}`)
  return `${[style.bold(header), ...rows, ...notes].join('\n')}\n`
}

function cells(workflow: WorkflowHead, zone: Zone): string[] {
  const progress = workflowProgress(workflow.states)
  return [
    String(workflow.workflowId),
    printable(workflow.name),
    printable(workflow.user),
    shortTime(workflow.createdAt, zone),
    formatCount(progress.total),
    formatCount(progress.success),
    formatCount(progress.unsuccessful),
    formatCount(progress.running),
    formatCount(progress.waiting),
    workflow.latestRunId === null ? notMeasured : String(workflow.latestRunId),
  ]
}
