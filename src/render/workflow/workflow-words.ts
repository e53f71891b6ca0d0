import type { WorkflowProgress } from '../../analysis/workflow/workflow-results.ts'
import { placeWords, type LeftElsewhere } from '../../model/elsewhere.ts'
import type { JobState } from '../../model/job-state.ts'
import type { Owner } from '../../model/machine.ts'
import { formatCount } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import { statusText } from '../record/record-words.ts'
import type { Style } from '../text/style.ts'

export const noWorkflowsYet =
  'No workflows yet. Create one: jobmeter workflows create-from-spec SPEC'

export const stateText = (state: JobState, style: Style): string =>
  state === 'waiting' ? style.dim('WAITING') : statusText(state, style)

export const runnerText = (owner: Owner | null): string =>
  owner === null ? 'none' : `process ${owner.pid} on ${printable(owner.host)}`

/** What to do with a workflow that stands so. */
export function nextStep(workflowId: number, progress: WorkflowProgress, runs: boolean): string {
  if (runs) return `It is running. Stop it: jobmeter workflows cancel ${workflowId}`
  if (progress.total === progress.success)
    return `All jobs succeeded. See jobmeter results list ${workflowId}`
  const left = formatCount(progress.total - progress.success)
  const failed =
    progress.unsuccessful === 0 ? '' : `What failed: jobmeter results list ${workflowId} --failed. `
  return `${failed}Run the ${left} left: jobmeter run-jobs ${workflowId}`
}

/** Attempts that were handed elsewhere do not end with their runner. */
export function leftText({ workflowId, jobs, executor }: LeftElsewhere): string {
  const [who, them] = jobs === 1 ? ['1 job', 'it'] : [`${formatCount(jobs)} jobs`, 'them']
  return `The runner is gone. ${who} may still run ${placeWords(executor)}. Pick ${them} up, and go on: jobmeter run --resume ${workflowId}`
}
