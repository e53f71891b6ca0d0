import type { WorkflowHead } from '../../model/workflow-head.ts'
import type { Console } from '../terminal/console.ts'

/** The argument of every command about one workflow. */
export const workflowArgument = {
  name: 'id',
  required: true,
  says: 'the workflow id, as `jobmeter workflows list` shows it',
} as const

/** The same where nothing is lost by taking the newest. What cancels, resets or deletes always has to be told. */
export const workflowOrNewest = {
  name: 'id',
  required: false,
  says: 'the workflow id; without it, the newest workflow',
} as const

/** Says which workflow the answer is about, where nobody named one and the answer itself does not tell. */
export function tellNewest(
  { workflowId, name }: WorkflowHead,
  typed: string | undefined,
  format: string,
  console: Console,
): void {
  if (typed === undefined && format === 'table')
    console.complain(`workflow ${workflowId} (${name}), the newest`)
}
