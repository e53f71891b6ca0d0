import { isOver } from '../../slurm/job-state.ts'
import type { System } from '../../system/system.ts'
import type { SlurmCommands } from '../../workflow/executors/slurm/slurm-commands.ts'
import { firstProcessOf } from './find-slurm-job.ts'
import { whyNoProcess } from './why-no-process.ts'

const lookSeconds = 0.1

interface Patience {
  readonly seconds: number
  readonly note: (text: string) => void
}

/** The first process of the job on this node, as soon as there is one; throws where there is none in this time. */
export async function findOnNode(
  system: System,
  commands: SlurmCommands,
  job: string,
  { seconds, note }: Patience,
): Promise<{ readonly pid: number; readonly uid: number | undefined }> {
  const uid = await userOf(commands, job)
  const until = system.clock.monotonicSeconds() + seconds
  for (let looks = 0; ; looks++) {
    const pid = firstProcessOf(system, job, uid)
    if (pid !== undefined) return { pid, uid }
    if (looks === 0 && seconds > 0) {
      const known = await commands.stateOf(job)
      // It will not begin here again.
      if (known !== undefined && isOver(known)) throw await whyNoProcess(system, commands, job)
      if (known === undefined) note(`Slurm says nothing of job ${job}: waiting for it all the same`)
    }
    if (system.clock.monotonicSeconds() >= until) throw await whyNoProcess(system, commands, job)
    await new Promise<void>((resolve) => system.clock.after(lookSeconds, resolve))
  }
}

async function userOf(commands: SlurmCommands, job: string): Promise<number | undefined> {
  const [uid = ''] = await commands.fieldsOf(job, ['UserID'])
  return /^\d+$/.test(uid) ? Number(uid) : undefined
}
