import { atLeast, isLowerBound, measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { JobRecord } from '../../model/record.ts'
import { boundBy } from './bound-by.ts'
import { gpuFigure, gpuMeasured, gpuReason } from '../../model/gpu-usage.ts'

/** How much of a whole node one run kept busy. */
export interface NodeShare {
  readonly resource: 'cores' | 'memory' | 'disk' | 'gpus'
  readonly used: Measured
  /** What the node has; null where that is not known. */
  readonly capacity: number | null
  /** used ÷ capacity. */
  readonly share: Measured
  /** `held-back`: it got less than it wanted, so what it used says little about what it needs. */
  readonly verdict: 'idle' | 'little' | 'part' | 'full' | 'held-back' | 'unknown'
}

/** Shares from which a node's resource counts as used a little, in part, and up. */
const littleFrom = 0.05
const partFrom = 0.25
const fullFrom = 0.85

export function nodeShares(record: JobRecord): NodeShare[] {
  const { usage, machine, durationSeconds } = record
  const cpu = usage.cpuTotalSeconds
  const busyCores: Measured =
    cpu.value === null || !durationSeconds
      ? unmeasured(cpu.value === null ? cpu.why : 'its end was not seen')
      : { value: cpu.value / durationSeconds, basis: cpu.basis }
  return [
    coresOf(record, shareOf('cores', busyCores, machine.cores)),
    shareOf('memory', usage.memoryPeakBytes, machine.memoryBytes),
    disk(record),
    shareOf('gpus', busyCards(record), gpuFigure(usage, 'gpuCards')),
  ]
}

/** As in what held it back: a job that waited for cores leaves none for others beside it. */
function coresOf(record: JobRecord, cores: NodeShare): NodeShare {
  const { kind } = boundBy(record)
  const isHeldBack = kind === 'cpu-contention' || kind === 'cpu-limit'
  return isHeldBack && cores.verdict !== 'unknown' ? { ...cores, verdict: 'held-back' } : cores
}

/** Cards that worked for it, on average. */
function busyCards({ usage, durationSeconds }: JobRecord): Measured {
  const busy = gpuMeasured(usage, 'gpuBusySeconds')
  if (busy === undefined || busy.value === null || !durationSeconds)
    return unmeasured(gpuReason(usage) || 'it used none')
  const tell = isLowerBound(busy) ? atLeast : measured
  return tell(busy.value / durationSeconds, 'work of its cards over its duration')
}

function disk({ usage, durationSeconds }: JobRecord): NodeShare {
  const { readBytes: read, writeBytes: write } = usage
  const used: Measured =
    read.value === null || write.value === null || !durationSeconds
      ? unmeasured(
          read.value === null
            ? read.why
            : write.value === null
              ? write.why
              : 'its end was not seen',
        )
      : {
          value: (read.value + write.value) / durationSeconds,
          // One that may be too low makes the sum too low.
          basis: isLowerBound(write) ? write.basis : read.basis,
        }
  const share = unmeasured('the top speed of the disks was not measured')
  return { resource: 'disk', used, capacity: null, share, verdict: 'unknown' }
}

function shareOf(
  resource: NodeShare['resource'],
  used: Measured,
  capacity: number | null,
): NodeShare {
  if (used.value === null) return { resource, used, capacity, share: used, verdict: 'unknown' }
  if (capacity === null || !(capacity > 0)) {
    const share = unmeasured('the size of the machine was not recorded')
    return { resource, used, capacity: null, share, verdict: 'unknown' }
  }
  const value = used.value / capacity
  // It may have used any amount more.
  if (isLowerBound(used) && value < fullFrom) {
    const share = { value, basis: used.basis }
    return { resource, used, capacity, share, verdict: 'unknown' }
  }
  const verdict =
    value >= fullFrom
      ? 'full'
      : value >= partFrom
        ? 'part'
        : value >= littleFrom
          ? 'little'
          : 'idle'
  return { resource, used, capacity, share: { value, basis: used.basis }, verdict }
}
