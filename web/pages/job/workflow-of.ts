import type { JobBrief } from '../../../src/server/schemas/job.ts'

/** Records that older servers answer do not say which workflow they belong to. */
export interface OfWorkflow {
  readonly workflow_id?: number | null
}

/**
 * The workflow of a job; null for a single command. Undefined as long as nobody has told: lists tell it too, but only
 * of jobs that are in them.
 */
export function workflowOf(
  record: OfWorkflow,
  listed: Pick<JobBrief, 'workflow_id'> | undefined,
): number | null | undefined {
  return record.workflow_id === undefined ? listed?.workflow_id : record.workflow_id
}
