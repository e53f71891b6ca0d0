import { effect, signal } from '@preact/signals'
import type { NodeWall } from '../src/server/schemas/node-curve.ts'
import { ask } from './api.ts'
import { me } from './me.ts'

/** Whether an agent watches nodes: pages about nodes would be empty otherwise, and the menu leaves them out. */
export const hasNodes = signal(false)

async function lookForNodes(): Promise<void> {
  try {
    hasNodes.value = (await ask<NodeWall>('/node-curves?from=1h&points=1&limit=1')).nodes.length > 0
  } catch {
    // Somebody who may not see nodes has no pages of them either.
  }
}

effect(() => {
  if (me.value) void lookForNodes()
})
