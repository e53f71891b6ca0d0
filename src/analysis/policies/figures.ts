import type { NodeJob } from '../../model/node-round.ts'
import type { JudgedRound, JudgedUse } from '../../model/past-round.ts'
import { beganAt, cardBytes, type JobLife } from './job-life.ts'
import type { Figures } from './figure-list.ts'
import type { RoundSum } from './round-sum.ts'

export const share = (
  part: number | null | undefined,
  whole: number | null | undefined,
): number | null => (part === null || part === undefined || !whole ? null : part / whole)

/** The largest that is known; null if none is. */
function largest(...values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

/** What one subject does at the time of a round. */
export function figuresNow(sum: RoundSum, { node, seconds }: JudgedRound): Figures {
  const cores = share(sum.cpuSeconds, seconds) ?? 0
  const { gpusHeld, cpus, memory, gpus } = sum
  const card = cardBytes(node)
  const held = share(gpusHeld, node.gpus)
  const cpuOfNode = share(cores, node.cores)
  const memoryOfNode = share(sum.memoryBytes, node.memoryTotalBytes)
  const asked = (amount: number | null): number | null =>
    amount !== null && amount > 0 ? amount : null
  const timeOf = (count: number | null): number | null => (count === null ? null : count * seconds)
  const cpusOfNode = asked(share(cpus.asked, node.cores))
  const busy = share(node.cpuSeconds, timeOf(node.cores))
  return {
    cpu_cores: cores,
    cpu_of_node: cpuOfNode,
    cpu_of_request: share(cpus.used, cpus.asked),
    memory_bytes: sum.memoryBytes,
    memory_of_node: memoryOfNode,
    memory_of_request: share(memory.used, memory.asked),
    gpus_held: gpusHeld,
    gpus_held_of_node: held,
    gpu_of_held: share(sum.gpuSeconds, (gpusHeld ?? 0) * seconds),
    gpu_memory_of_held: share(
      sum.gpuMemoryBytes ?? (sum.gpuSeconds === null ? null : 0),
      card === null ? null : card * (gpusHeld ?? 0),
    ),
    gpu_of_node: share(sum.gpuSeconds, timeOf(node.gpus)),
    largest_share: largest(cpuOfNode, memoryOfNode, held),
    processes: sum.processes,
    threads: sum.threads,
    zombies: sum.zombies,
    short_processes_per_minute: share(sum.shortProcesses, seconds / 60),
    short_cpu_of_node: share(sum.shortCpuSeconds, timeOf(node.cores)),
    read_bytes_per_second: share(sum.readBytes, seconds),
    write_bytes_per_second: share(sum.writeBytes, seconds),
    asked_cpus: asked(cpus.asked),
    asked_cpus_of_node: cpusOfNode,
    asked_memory_bytes: asked(memory.asked),
    asked_gpus: asked(gpus.asked),
    largest_request_of_node: largest(
      cpusOfNode,
      asked(share(memory.asked, node.memoryTotalBytes)),
      asked(share(gpus.asked, node.gpus)),
    ),
    largest_use_of_request: largest(
      share(cpus.used, cpus.asked),
      share(memory.used, memory.asked),
      share(gpus.used, gpus.asked),
    ),
    asked_memory_of_fair: fairShare(cpus.asked, memory.asked, node),
    node_cores: node.cores,
    node_gpus: node.gpus,
    node_load_of_cores: share(node.load, node.cores),
    others_cpu_of_node: node.cores === null ? null : Math.max(0, (busy ?? 0) - (cpuOfNode ?? 0)),
    jobs: sum.jobs,
  }
}

/** 1 is as much of the memory as of the cores. */
export const fairShare = (
  cpus: number,
  memoryBytes: number,
  { cores, memoryTotalBytes }: Pick<JudgedUse, 'cores' | 'memoryTotalBytes'>,
): number | null => share(share(memoryBytes, memoryTotalBytes), share(cpus, cores))

/** The same of a job, with what is known of all its life. */
export function jobFigures(
  job: NodeJob,
  sum: RoundSum,
  life: JobLife,
  round: JudgedRound,
): Figures {
  const { node, at } = round
  const now = figuresNow(sum, round)
  const held = sum.gpusHeld ?? 0
  const card = cardBytes(node)
  const cpuPeak = share(life.cpuPeakCores, node.cores)
  const gpuSeconds = sum.gpuSeconds === null ? null : life.gpuSeconds
  const gpuKnown = gpuSeconds !== null && life.heldSeconds > 0
  const gpuMemory = life.gpuMemoryPeakBytes ?? (sum.gpuSeconds === null ? null : 0)
  return {
    ...now,
    memory_of_request: share(
      job.reservation?.memoryBytes ? life.memoryPeakBytes : null,
      job.reservation?.memoryBytes,
    ),
    asked_cpus_per_gpu: share(job.reservation?.cpus, job.reservation?.gpus),
    runtime_seconds: Math.max(0, at - beganAt(job, life)),
    cpu_peak_of_node: cpuPeak,
    cpu_mean_cores: share(life.cpuSeconds, life.seconds),
    memory_peak_bytes: life.memoryPeakBytes,
    gpu_seconds_used: gpuSeconds,
    gpu_mean_of_held: gpuKnown ? gpuSeconds / life.heldSeconds : null,
    gpu_peak_of_held: gpuKnown ? life.gpuPeakOfHeld : null,
    gpu_memory_peak_bytes: gpuMemory,
    gpu_memory_peak_of_held: share(gpuMemory, card === null ? null : card * held),
    memory_peak_per_gpu_bytes: share(life.memoryPeakBytes, held),
    largest_peak_share: largest(
      cpuPeak,
      share(life.memoryPeakBytes, node.memoryTotalBytes),
      share(sum.gpusHeld, node.gpus),
    ),
  }
}
