import type { SeenJob } from '../../model/seen-job.ts'

/** What a job used of the time that it was seen, in absolute figures and as shares from 0 to 1 and more. */
export interface JobShares {
  readonly runtimeSeconds: number
  readonly meanCores: number | null
  readonly cpuOfNode: number | null
  readonly cpuOfReservation: number | null
  readonly memoryOfNode: number | null
  readonly memoryOfReservation: number | null
  readonly meanGpus: number | null
  readonly gpuOfNode: number | null
  readonly gpuOfReservation: number | null
}

const share = (used: number | null | undefined, whole: number | null | undefined): number | null =>
  used === null || used === undefined || !whole ? null : used / whole

export function jobShares(job: SeenJob): JobShares {
  const { reservation } = job
  const meanCores = share(job.cpuSeconds, job.seenSeconds)
  const meanGpus = share(job.gpuSeconds, job.seenSeconds)
  const began = Math.min(job.startedAt ?? job.firstSeen, job.firstSeen)
  return {
    runtimeSeconds: Math.max(0, job.lastSeen - began),
    meanCores,
    cpuOfNode: share(meanCores, job.nodeCores),
    cpuOfReservation: share(meanCores, reservation?.cpus),
    memoryOfNode: share(job.memoryPeakBytes, job.nodeMemoryBytes),
    memoryOfReservation: share(job.memoryPeakBytes, reservation?.memoryBytes),
    meanGpus,
    gpuOfNode: share(meanGpus, job.nodeGpus),
    gpuOfReservation: share(meanGpus, reservation?.gpus),
  }
}
