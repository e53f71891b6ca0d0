import type { JobPlace } from '../store/ledger/workflow-store.ts'

/** Why there is no record of a job of a workflow that has had no attempt. */
export function unstartedText({ name, state, workflowId }: JobPlace): string {
  const why = state === 'cancelled' ? 'was cancelled before it started' : 'has not started yet'
  return `job ${name} ${why}. See jobmeter workflows status ${workflowId}`
}
