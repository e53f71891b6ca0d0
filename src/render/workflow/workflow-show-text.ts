import type { WorkflowHead } from '../../model/workflow-head.ts'
import { workflowProgress } from '../../analysis/workflow/workflow-results.ts'
import type { LeftElsewhere } from '../../model/elsewhere.ts'
import { jobStates } from '../../model/job-state.ts'
import type { Workflow } from '../../model/workflow.ts'
import { formatCount, formatSeconds } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'
import { leftText, nextStep, runnerText, stateText } from './workflow-words.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'

/** One execution of a workflow; the ledger's row is one. */
export interface ShownRun {
  readonly runId: number
  readonly startedAt: number
  readonly endedAt: number | null
  readonly host: string
  readonly outputDirectory: string
}

/** How a workflow stands: its jobs by state, who runs it, what to do next. */
export function workflowStatusText(
  head: WorkflowHead,
  { isBeingRun, left }: Pick<ShownWorkflow, 'isBeingRun' | 'left'>,
  style: Style,
): string {
  const progress = workflowProgress(head.states)
  const states = jobStates
    .filter((state) => head.states[state] > 0)
    .map((state) => [stateText(state, style), formatCount(head.states[state])])
  const layout = [
    { header: '', align: 'left' },
    { header: '', align: 'right' },
  ] as const
  const lines = [
    `${style.bold(`Workflow ${head.workflowId}:`)} ${printable(head.name)}`,
    `Jobs: ${formatCount(progress.total)}`,
    ...(states.length === 0 ? [] : indented(table(layout, states).split('\n'))),
    `Runner: ${runnerText(head.leasedBy)}${head.leasedBy === null || isBeingRun ? '' : ', which has died'}`,
    left === null ? nextStep(head.workflowId, progress, isBeingRun) : leftText(left),
  ]
  return `${lines.join('\n')}\n`
}

/** All that is known of a workflow but for its jobs. */
export interface ShownWorkflow {
  readonly head: WorkflowHead
  readonly workflow: Workflow
  readonly runs: readonly ShownRun[]
  readonly isBeingRun: boolean
  /** What its runner, which is gone, has left elsewhere. */
  readonly left: LeftElsewhere | null
}

/** The status with what the workflow is made of. */
export function workflowShowText(shown: ShownWorkflow, style: Style, zone: Zone): string {
  const { head, workflow, runs } = shown
  const facts: [string, string | null][] = [
    ['Description', workflow.description],
    ['Project', workflow.project],
    ['User', head.user],
    ['Created', shortTime(head.createdAt, zone)],
    ['Spec', head.specPath],
    ['Monitoring', monitoringText(workflow)],
    ['Files', String(workflow.files.length)],
    ['User Data', String(workflow.userData.length)],
    ['Actions', String(workflow.actions.length)],
  ]
  const known = facts
    .filter(([, fact]) => fact !== null && fact !== '0')
    .map(([name, fact]) => `  ${name}: ${printable(fact ?? '')}`)
  const [title = '', ...rest] = workflowStatusText(head, shown, style).split('\n')
  const executions =
    runs.length === 0 ? [] : [style.bold('Runs:'), ...runs.map((run) => runLine(run, zone))]
  return [title, ...known, ...executions, ...rest].join('\n')
}

function runLine(run: ShownRun, zone: Zone): string {
  const lasted =
    run.endedAt === null ? 'not ended' : formatSeconds(Math.max(0, run.endedAt - run.startedAt))
  const where = `${printable(run.host)}:${printable(run.outputDirectory)}`
  return `  ${run.runId}: ${shortTime(run.startedAt, zone)}, ${lasted}, ${where}`
}

function monitoringText({ monitor }: Workflow): string {
  if (!monitor.enabled) return 'off'
  const kept = monitor.granularity === 'summary' ? 'summary' : 'time series'
  const limits = monitor.enforce.length === 0 ? '' : `, limits: ${monitor.enforce.join(', ')}`
  return `${kept}, a sample every ${formatSeconds(monitor.sampleIntervalSeconds)}${limits}`
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)
