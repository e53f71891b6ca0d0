import type { LeftElsewhere } from '../../model/elsewhere.ts'
import { outcomeStatuses, type OutcomeStatus } from '../../model/outcome.ts'
import type { WorkflowHead } from '../../model/workflow-head.ts'
import { workflowProgress } from '../../analysis/workflow/workflow-results.ts'
import { formatCount, notMeasured } from '../units/figures.ts'
import { fitTable } from '../text/fit-table.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { leftText, noWorkflowsYet } from './workflow-words.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'

const first = [
  { header: 'ID', align: 'right' },
  { header: 'Name', align: 'left' },
  { header: 'User', align: 'left' },
  { header: 'Created', align: 'left' },
  { header: 'Jobs', align: 'right' },
  { header: 'Success', align: 'right' },
] as const
const last = [
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
  width: number | null = null,
): string {
  if (workflows.length === 0) return `${noWorkflowsYet}\n`
  // A column for each other way to end that occurs: what was cancelled has not failed.
  const ends = otherEnds.filter(
    (end) => end === 'failed' || workflows.some(({ states }) => states[end] > 0),
  )
  const named = ends.map((end) => ({ header: capital(end), align: 'right' as const }))
  const { lines } = fitTable(
    [...first, ...named, ...last],
    workflows.map((workflow) => cells(workflow, ends, zone)),
    { name: 'Name', expendable: [] },
    width,
  )
  const [header = '', ...rows] = lines
  const notes = left.map((each) => `Workflow ${each.workflowId}: ${leftText(each)}`)
  return `${[style.bold(header), ...rows, ...notes].join('\n')}\n`
}

const otherEnds = outcomeStatuses.filter((status) => status !== 'success')
const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

function cells(workflow: WorkflowHead, ends: readonly OutcomeStatus[], zone: Zone): string[] {
  const progress = workflowProgress(workflow.states)
  return [
    String(workflow.workflowId),
    printable(workflow.name),
    printable(workflow.user),
    shortTime(workflow.createdAt, zone),
    formatCount(progress.total),
    formatCount(progress.success),
    ...ends.map((end) => formatCount(workflow.states[end])),
    formatCount(progress.running),
    formatCount(progress.waiting),
    workflow.latestRunId === null ? notMeasured : String(workflow.latestRunId),
  ]
}
