import { briefSeconds } from '../../../src/render/units/brief-figures.ts'
import type { WorkflowProgress } from '../../../src/server/schemas/workflow.ts'

/** How a workflow stands, in one word of those that jobs have. */
export function workflowStatus({
  is_being_run: isRun,
  total,
  failed,
  states,
}: Pick<WorkflowProgress, 'is_being_run' | 'total' | 'failed' | 'states'>): string {
  if (isRun) return 'running'
  if ((states.success ?? 0) === total) return 'success'
  const worst = (['failed', 'error', 'timeout', 'cancelled', 'interrupted'] as const).find(
    (state) => (states[state] ?? 0) > 0,
  )
  if (failed > 0 && worst !== undefined) return worst
  // Somebody stopped in the middle of it, or was stopped.
  return (states.success ?? 0) + (states.running ?? 0) > 0 ? 'interrupted' : 'waiting'
}

/** `ends in about 3m (1m to 6m)`; nothing where nobody can say. */
export function estimateWords(
  estimate: NonNullable<WorkflowProgress['estimate']>,
  now: number,
): { readonly about: string; readonly range: string } {
  const left = (at: number): string => briefSeconds(Math.max(0, Math.round(at - now))) || '0s'
  return {
    about: left(estimate.ends_at),
    range: `${left(estimate.earliest_at)} to ${left(estimate.latest_at)}`,
  }
}

/** Those that run first, then those that failed, then the others; the newest of each first. */
export function inOrderOfCare<Each extends { readonly progress: WorkflowProgress }>(
  workflows: readonly Each[],
): Each[] {
  const rank = ({ progress }: Each): number =>
    progress.is_being_run ? 0 : progress.failed > 0 ? 1 : 2
  return workflows.toSorted(
    (a, b) => rank(a) - rank(b) || b.progress.workflow_id - a.progress.workflow_id,
  )
}
