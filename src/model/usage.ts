import type { Measured } from './measured.ts'

/**
 * Everything a job's usage can say. The one list behind the stored record, its JSON and the docs.
 * Names carry the unit; `machine…` figures are of the whole machine over the job's time.
 */
export const usageKeys = [
  'cpuUserSeconds',
  'cpuSystemSeconds',
  'cpuTotalSeconds',
  'cpuPercentMean',
  'cpuPercentPeak',
  'cpuPercentP95',
  'memoryPeakBytes',
  'memoryMeanBytes',
  'memoryMinBytes',
  'rssSumPeakBytes',
  'largestProcessPeakBytes',
  'swapPeakBytes',
  'cgroupMemoryPeakBytes',
  'processesKilledForMemory',
  'readBytes',
  'writeBytes',
  'readChars',
  'writeChars',
  'readCalls',
  'writeCalls',
  'ioDelaySeconds',
  'cpuPressureSeconds',
  'memoryPressureSeconds',
  'ioPressureSeconds',
  'minorFaults',
  'majorFaults',
  'voluntarySwitches',
  'involuntarySwitches',
  'processesPeak',
  'threadsPeak',
  'processesStarted',
  'machineCpuPercentMean',
  'machineCpuPercentMax',
  'machineCpuPercentMin',
  'machineMemoryMeanBytes',
  'machineMemoryMaxBytes',
  'machineMemoryMinBytes',
  'machineIoWaitPercentMean',
  'machineCpuPressureSeconds',
  'machineMemoryPressureSeconds',
  'machineIoPressureSeconds',
  'machineDiskReadBytes',
  'machineDiskWriteBytes',
  'machineNetReceivedBytes',
  'machineNetSentBytes',
] as const

export type UsageKey = (typeof usageKeys)[number]
export type Usage = Readonly<Record<UsageKey, Measured>>

/** A usage in which nothing was measured, for one reason. */
export function emptyUsage(why: string): Usage {
  return Object.fromEntries(usageKeys.map((key) => [key, { value: null, why }])) as Usage
}
