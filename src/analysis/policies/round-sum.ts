import type { NodeJob, Reservation } from '../../model/node-round.ts'
import type { JudgedUse } from '../../model/past-round.ts'
import { addTold } from '../../model/told-sum.ts'

/** How much was asked for, and how much of it those jobs used that asked. */
interface Used {
  used: number
  asked: number
}

/** What one job, or all jobs of a user, did in one round. */
export interface RoundSum {
  jobs: number
  cpuSeconds: number
  memoryBytes: number | null
  gpuSeconds: number | null
  gpuMemoryBytes: number | null
  /** Cards that they have processes on, or that were given to them. */
  gpusHeld: number | null
  readBytes: number | null
  writeBytes: number | null
  processes: number
  threads: number
  zombies: number
  shortProcesses: number | null
  shortCpuSeconds: number | null
  readonly cpus: Used
  readonly memory: Used
  readonly gpus: Used
  /** What others cannot have, because it is used or reserved: cores, bytes, cards. */
  coresClaimed: number
  memoryClaimed: number
}

export const emptySum = (): RoundSum => ({
  jobs: 0,
  cpuSeconds: 0,
  memoryBytes: null,
  gpuSeconds: null,
  gpuMemoryBytes: null,
  gpusHeld: null,
  readBytes: null,
  writeBytes: null,
  processes: 0,
  threads: 0,
  zombies: 0,
  shortProcesses: null,
  shortCpuSeconds: null,
  cpus: { used: 0, asked: 0 },
  memory: { used: 0, asked: 0 },
  gpus: { used: 0, asked: 0 },
  coresClaimed: 0,
  memoryClaimed: 0,
})

const plus = (sum: number | null, more: number | null | undefined): number | null =>
  more === null || more === undefined ? sum : (sum ?? 0) + more

/** What is only implied keeps nobody else from it. */
export const reserved = (reservation: Reservation | null): Reservation | null =>
  reservation === null || reservation.source === 'implied' ? null : reservation

/** Who was on no card used none, which is known. Of who was, it may not be: MIG instances do not tell how busy they are. */
export const gpuSecondsOf = ({
  gpuSeconds,
  gpus,
}: Pick<NodeJob, 'gpuSeconds' | 'gpus'>): number | null => gpuSeconds ?? (gpus ? null : 0)

export function addJob(sum: RoundSum, job: NodeJob, node: JudgedUse, seconds: number): void {
  const cores = seconds > 0 ? job.cpuSeconds / seconds : 0
  const given = reserved(job.reservation)
  const hasGpus = node.gpus !== null && node.gpus > 0
  const held = hasGpus ? Math.max(job.gpus ?? 0, given?.gpus ?? 0) : null
  const tellsGpus = hasGpus && node.gpuSeconds !== null
  const gpuSeconds = tellsGpus ? gpuSecondsOf(job) : null
  sum.gpuSeconds = addTold(sum.jobs === 0 ? 0 : sum.gpuSeconds, gpuSeconds)
  sum.jobs += 1
  sum.cpuSeconds += job.cpuSeconds
  sum.memoryBytes = plus(sum.memoryBytes, job.memoryBytes)
  sum.gpuMemoryBytes = plus(sum.gpuMemoryBytes, tellsGpus ? job.gpuMemoryBytes : null)
  sum.gpusHeld = plus(sum.gpusHeld, held)
  sum.readBytes = plus(sum.readBytes, job.readBytes)
  sum.writeBytes = plus(sum.writeBytes, job.writeBytes)
  sum.processes += job.processes
  sum.threads += job.threads
  sum.zombies += job.zombies
  const tellsEnds = node.shortProcesses !== null && node.shortProcesses !== undefined
  sum.shortProcesses = plus(sum.shortProcesses, tellsEnds ? (job.shortProcesses ?? 0) : null)
  sum.shortCpuSeconds = plus(sum.shortCpuSeconds, tellsEnds ? (job.shortCpuSeconds ?? 0) : null)
  sum.coresClaimed += Math.max(cores, given?.cpus ?? 0)
  sum.memoryClaimed += Math.max(job.memoryBytes ?? 0, given?.memoryBytes ?? 0)
  addUsed(sum.cpus, cores, job.reservation?.cpus)
  addUsed(sum.memory, job.memoryBytes, job.reservation?.memoryBytes)
  addUsed(
    sum.gpus,
    gpuSeconds === null || !(seconds > 0) ? null : gpuSeconds / seconds,
    job.reservation?.gpus,
  )
}

function addUsed(into: Used, used: number | null, asked: number | null | undefined): void {
  if (used === null || !asked) return
  into.used += used
  into.asked += asked
}
