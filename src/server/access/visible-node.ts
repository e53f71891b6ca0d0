import { NoAgent } from '../../service/agent-questions.ts'
import { UserError } from '../../service/user-error.ts'
import { StoreError } from '../../store/errors.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'
import type { Served } from '../served.ts'
import { nodesSeenBy } from './may-see.ts'
import type { Viewer } from './viewer.ts'

/**
 * Asks what agents kept of nodes, in which there is nothing but what a viewer may see. Where nobody kept anything, that is no
 * fault: `none` answers, with why.
 */
export async function askNode<T>(
  { openNode }: Pick<Served, 'openNode'>,
  viewer: Viewer,
  ask: (node: NodeQuestions) => T | Promise<T>,
  none: (why: string) => T,
): Promise<T> {
  let node: NodeQuestions
  try {
    node = await openNode(nodesSeenBy(viewer))
  } catch (error) {
    if (error instanceof UserError) return none(error.message)
    if (error instanceof StoreError && error.code === 'unreadable') return none(error.message)
    throw error
  }
  try {
    return await ask(node)
  } catch (error) {
    // It ended since.
    if (error instanceof NoAgent) return none(error.message)
    throw error
  } finally {
    await node.close()
  }
}
