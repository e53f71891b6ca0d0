import { killLeftovers } from '../../launch/leftovers.ts'
import { givenEnvironment } from '../../system/given.ts'
import type { System } from '../../system/system.ts'
import type { AttemptFolder } from '../../workflow/executors/remote/attempt-folder.ts'

/** Ends what is left of attempts that a jobmeter of the same Slurm job has begun on this node, and was killed. */
export function endLeftHere(system: System, folders: readonly AttemptFolder[]): void {
  const environment = givenEnvironment()
  const ofUs = folders.filter((folder) => {
    const claim = folder.readClaim()
    return (
      claim?.kind === 'taken' &&
      ['SLURM_JOB_ID', 'SLURMD_NODENAME'].every((name) => claim.site[name] === environment[name])
    )
  })
  killLeftovers(system, new Set(ofUs.map(({ taskId }) => taskId)))
}
