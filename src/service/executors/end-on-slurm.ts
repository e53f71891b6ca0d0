import { givenEnvironment } from '../../system/given.ts'
import type { System } from '../../system/system.ts'
import { AttemptFolder } from '../../workflow/executors/remote/attempt-folder.ts'
import type { RemoteHandle } from '../../workflow/executors/remote/remote-handle.ts'
import { SlurmCommands } from '../../workflow/executors/slurm/slurm-commands.ts'
import type { LeftThere } from './left-there.ts'

/** Has attempts end that were handed to Slurm: those that have not begun never do. */
export async function endOnSlurm(
  system: System,
  left: readonly LeftThere<RemoteHandle>[],
): Promise<void> {
  for (const { handle } of left) {
    const folder = new AttemptFolder(system.files, handle.folder)
    folder.claim({ kind: 'withdrawn', as: 'cancelled', signal: 'SIGTERM' })
    folder.askToEnd({ request: 1, signal: 'SIGTERM' })
  }
  const jobs = left.map(({ handle }) => handle.site?.['slurm_job'])
  const named = jobs.filter((job) => typeof job === 'string')
  if (named.length > 0) await new SlurmCommands(system, givenEnvironment()).cancel(named)
}
