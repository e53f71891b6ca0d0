import { givenEnvironment } from '../../system/given.ts'
import { programOutput } from '../../system/program-output.ts'
import type { System } from '../../system/system.ts'
import { UserError } from '../user-error.ts'

const longestSeconds = 10

/** Refuses to go on where a command of Slurm is not on the path; `otherwise` says what else can be done. */
export async function requireSlurm(
  { processes }: System,
  program: 'sbatch' | 'squeue' | 'sacct',
  otherwise = '',
): Promise<void> {
  const command = [program, '--version']
  const asked = { command, environment: givenEnvironment(), workingDirectory: '/' }
  const { code } = await programOutput(processes, asked, longestSeconds)
  if (code === 'not there' || code === 127)
    throw new UserError(
      `${program} was not found. Run this where the commands of Slurm are, with their folder on the PATH${otherwise}`,
    )
}
