import type { System } from '../../system/system.ts'
import { handleIn } from '../../workflow/executors/handle-in.ts'
import type { QueueHandle } from '../../workflow/executors/queue/queue-handle.ts'
import type { RemoteHandle } from '../../workflow/executors/remote/remote-handle.ts'
import type { LeftAttempt } from '../../workflow/run/executor.ts'
import type { LeftThere } from './left-there.ts'

/** Has attempts end that a killed runner has left elsewhere; answers those of them that were never elsewhere. */
export async function endLeftElsewhere(
  system: System,
  ledger: string,
  left: readonly LeftAttempt[],
): Promise<readonly LeftAttempt[]> {
  const here: LeftAttempt[] = []
  const inQueues: LeftThere<QueueHandle>[] = []
  const inFolders: LeftThere<RemoteHandle>[] = []
  for (const each of left) {
    const { taskId } = each
    const handle = handleIn(each.note)
    if (handle === undefined) here.push(each)
    else if ('queue' in handle) inQueues.push({ taskId, handle })
    else inFolders.push({ taskId, handle })
  }
  // The code of each place is loaded where it is used.
  if (inQueues.length > 0) {
    const { endInQueues } = await import('./end-in-queues.ts')
    await endInQueues(system, ledger, inQueues)
  }
  if (inFolders.length > 0) {
    const { endOnSlurm } = await import('./end-on-slurm.ts')
    await endOnSlurm(system, inFolders)
  }
  return here
}
