import { certainValue, isLowerBound } from '../../model/measured.ts'
import type { JobRecord } from '../../model/record.ts'
import { memoryLimitMetIn } from '../../model/usage.ts'
import { boundedKeyOf, type BoundedFigure } from '../../model/utilization-row.ts'
import type { SizedAttempt } from './sizing-evidence.ts'

/** A record as evidence of what its job needs. */
export function sizedRecord({ usage, name, machine, ...record }: JobRecord): SizedAttempt {
  const bounded = (Object.keys(boundedKeyOf) as BoundedFigure[]).filter((figure) =>
    isLowerBound(usage[boundedKeyOf[figure]]),
  )
  return {
    jobName: name,
    status: record.status,
    reason: record.reason,
    machineCores: machine.cores,
    durationSeconds: record.durationSeconds,
    cpuSeconds: usage.cpuTotalSeconds.value,
    cpuPercentP95: usage.cpuPercentP95.value,
    memoryPeakBytes: usage.memoryPeakBytes.value,
    largestProcessPeakBytes: usage.largestProcessPeakBytes.value,
    swapPeakBytes: usage.swapPeakBytes.value,
    cgroupMemoryPeakBytes: certainValue(usage.cgroupMemoryPeakBytes),
    memoryLimitMetBytes: memoryLimitMetIn(usage),
    cpuPressureSeconds: usage.cpuPressureSeconds.value,
    machineCpuPressureSeconds: usage.machineCpuPressureSeconds.value,
    machineCpuPercentMean: usage.machineCpuPercentMean.value,
    involuntarySwitches: usage.involuntarySwitches.value,
    lowerBounds: bounded,
  }
}
