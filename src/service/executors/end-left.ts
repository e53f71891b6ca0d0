import type { System } from '../../system/system.ts'
import { givenEnvironment } from '../../system/given.ts'
import { AttemptFolder } from '../../workflow/executors/remote/attempt-folder.ts'
import { parseHandle } from '../../workflow/executors/remote/remote-handle.ts'
import type { LeftAttempt } from '../../workflow/run/executor.ts'

/** Has attempts end that a killed runner has left elsewhere; answers those of them that were never elsewhere. */
export async function endLeftElsewhere(
  system: System,
  left: readonly LeftAttempt[],
): Promise<readonly LeftAttempt[]> {
  const here: LeftAttempt[] = []
  const slurmJobs: string[] = []
  for (const each of left) {
    const handle = parseHandle(each.note)
    if (handle === undefined) {
      here.push(each)
      continue
    }
    const folder = new AttemptFolder(system.files, handle.folder)
    folder.claim({ kind: 'withdrawn', as: 'cancelled', signal: 'SIGTERM' })
    folder.askToEnd({ request: 1, signal: 'SIGTERM' })
    const job = handle.site?.['slurm_job']
    if (typeof job === 'string') slurmJobs.push(job)
  }
  if (slurmJobs.length > 0) {
    const { SlurmCommands } = await import('../../workflow/executors/slurm/slurm-commands.ts')
    await new SlurmCommands(system, givenEnvironment()).cancel(slurmJobs)
  }
  return here
}
