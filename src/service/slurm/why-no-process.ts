import { isOver, isWaiting } from '../../slurm/job-state.ts'
import type { System } from '../../system/system.ts'
import type { SlurmCommands } from '../../workflow/executors/slurm/slurm-commands.ts'
import { UserError } from '../user-error.ts'
import { requireSlurm } from './require-slurm.ts'

/** Why no process of a job is to be seen on this node, by what Slurm says of it, and what to do. */
export async function whyNoProcess(
  system: System,
  commands: SlurmCommands,
  job: string,
): Promise<UserError> {
  await requireSlurm(system, 'squeue')
  const known = await commands.stateOf(job)
  const here = system.host.name
  if (known === undefined)
    return new UserError(`Slurm knows no job ${job}. See yours: squeue --me, or sacct`)
  const { state, reason = '', nodes } = known
  if (isOver(known))
    return new UserError(
      `job ${job} is over (${state}). See what Slurm measured: sacct -j ${job} -o JobID,State,Elapsed,TotalCPU,MaxRSS`,
    )
  if (isWaiting(known)) {
    const why = reason === '' ? state : `${state}: ${reason}`
    return new UserError(
      `job ${job} has not begun (${why}). Follow it from its start, on the node that it gets: jobmeter slurm attach ${job} --wait 1h`,
    )
  }
  const where = nodes === '' ? `squeue -j ${job} -o %N says where it runs` : `it runs on ${nodes}`
  return new UserError(
    `no process of job ${job} is to be seen on ${here}, and ${where}. Run this there, as its user or as root`,
  )
}
