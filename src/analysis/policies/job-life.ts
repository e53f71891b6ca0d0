import type { JobPast, JobPeaks, JudgedUse } from '../../model/past-round.ts'
import type { NodeJob } from '../../model/node-round.ts'
import { addTold } from '../../model/told-sum.ts'
import { gpuSecondsOf, type RoundSum } from './round-sum.ts'

/** What a job did in all the time that it was seen. */
export class JobLife {
  readonly firstAt: number
  seconds = 0
  cpuSeconds = 0
  cpuPeakCores = 0
  memoryPeakBytes: number | null = null
  /** null where it held cards that did not tell how busy they were. */
  gpuSeconds: number | null = 0
  /** Cards times seconds, of those that it held and that told it. */
  heldSeconds = 0
  gpuPeakOfHeld = 0
  gpuMemoryPeakBytes: number | null = null

  constructor(firstAt: number, past: JobPast | undefined) {
    this.firstAt = past?.firstSeen ?? firstAt
    if (past === undefined) return
    this.seconds = past.seconds
    this.cpuSeconds = past.cpuSeconds
    this.cpuPeakCores = past.cpuPeakCores
    this.memoryPeakBytes = past.memoryPeakBytes
    this.gpuSeconds = gpuSecondsOf(past)
    if (this.gpuSeconds !== null) this.heldSeconds = past.seconds * (past.gpus ?? 0)
    this.gpuPeakOfHeld = past.gpus ? (past.gpusPeak ?? 0) / past.gpus : 0
    this.gpuMemoryPeakBytes = past.gpuMemoryPeakBytes
  }

  add(sum: RoundSum, seconds: number, peaks: JobPeaks | undefined): void {
    this.seconds += seconds
    this.cpuSeconds += sum.cpuSeconds
    const cores = seconds > 0 ? sum.cpuSeconds / seconds : 0
    this.cpuPeakCores = Math.max(this.cpuPeakCores, peaks?.cpuCores ?? cores)
    this.memoryPeakBytes = highest(this.memoryPeakBytes, peaks?.memoryBytes ?? sum.memoryBytes)
    this.gpuMemoryPeakBytes = highest(
      this.gpuMemoryPeakBytes,
      peaks?.gpuMemoryBytes ?? sum.gpuMemoryBytes,
    )
    const held = (sum.gpusHeld ?? 0) * seconds
    if (held === 0) return
    this.gpuSeconds = addTold(this.gpuSeconds, sum.gpuSeconds)
    if (sum.gpuSeconds === null) return
    this.heldSeconds += held
    this.gpuPeakOfHeld = Math.max(this.gpuPeakOfHeld, sum.gpuSeconds / held)
  }
}

const highest = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.max(one, other)

/** When it began is better known than when it was first seen. */
export const beganAt = ({ startedAt }: NodeJob, { firstAt }: JobLife): number =>
  startedAt === null ? firstAt : Math.min(startedAt, firstAt)

/** Memory of one card; null where that is not known. */
export const cardBytes = ({ gpus, gpuMemoryTotalBytes }: JudgedUse): number | null =>
  gpus && gpuMemoryTotalBytes !== null ? gpuMemoryTotalBytes / gpus : null
