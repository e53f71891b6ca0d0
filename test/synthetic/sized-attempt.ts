import type { SizedAttempt } from '../../src/analysis/sizing/sizing-evidence.ts'

/** An attempt of three busy cores that held 10.5 GiB for nearly three hours. */
export const sizedAttempt = (differences: Partial<SizedAttempt> = {}): SizedAttempt => ({
  jobName: 'a',
  status: 'success',
  reason: null,
  machineCores: 64,
  durationSeconds: 9900,
  cpuSeconds: 60,
  cpuPercentP95: 310,
  memoryPeakBytes: 10.5 * 2 ** 30,
  largestProcessPeakBytes: null,
  swapPeakBytes: null,
  cgroupMemoryPeakBytes: null,
  memoryLimitMetBytes: null,
  cpuPressureSeconds: null,
  machineCpuPressureSeconds: null,
  machineCpuPercentMean: null,
  involuntarySwitches: null,
  lowerBounds: [],
  ...differences,
})
