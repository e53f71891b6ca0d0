import { z } from '@hono/zod-openapi'
import type { WorkflowHead } from '../../../model/workflow-head.ts'
import type { LedgerReader } from '../../../store/ledger/ledger-reader.ts'
import type { StoredWorkflow } from '../../../store/ledger/workflow-store.ts'
import { Problem } from '../../problem.ts'

/** The workflow that a path names. */
export const place = {
  workflow_id: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 31)
    .openapi({ description: 'its number in the ledger', example: 1 }),
} as const

export const runAsked = z.coerce
  .number()
  .int()
  .min(1)
  .max(2 ** 31)
  .optional()
  .openapi({ description: 'of this run only; else of the newest attempt at each job' })

interface Named {
  readonly workflow_id: number
}

const missing = (): Problem => new Problem(404, 'No workflow has this number.')

/** Nothing is told of one that is somebody else's, not even that it is there. */
export async function findHead(
  { workflows }: LedgerReader,
  { workflow_id: workflowId }: Named,
): Promise<WorkflowHead> {
  const head = await workflows.findWorkflowRow(workflowId)
  if (head === undefined) throw missing()
  return head
}

/** The same with its jobs. */
export async function findWhole(
  { workflows }: LedgerReader,
  { workflow_id: workflowId }: Named,
): Promise<StoredWorkflow> {
  const stored = await workflows.findWorkflow(workflowId)
  if (stored === undefined) throw missing()
  return stored
}
