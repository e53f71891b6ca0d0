import type { Measured } from './measured.ts'

/**
 * What every job's usage says, in the order in which it is shown: the analyses know these by name. What they mean is told
 * by the gauges that measure them (`meter/gauges`), and a gauge may bring further figures, which a usage has by name.
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
/** It may have further figures: see `furtherFigures`. */
export type Usage = Readonly<Record<UsageKey, Measured>>

/** What a figure of a usage is called, and what it says. */
export interface FigureDefinition<Key extends string = string> {
  readonly key: Key
  readonly says: string
}

const knownKeys: ReadonlySet<string> = new Set(usageKeys)

/** The figures of a usage that only some gauge knows of, by their keys. */
export function furtherFigures(usage: Usage): (readonly [key: string, figure: Measured])[] {
  // Most have none, and this is asked at the end of each of thousands of jobs.
  if (Object.keys(usage).length === usageKeys.length) return []
  return Object.entries<Measured>(usage).filter(([key]) => !knownKeys.has(key))
}

/** Whether a further figure can be called so: as the others are, and not like one of them. */
export const isFurtherKey = (key: string): boolean =>
  /^[a-z][a-zA-Z0-9]{0,99}$/.test(key) && !knownKeys.has(key)

/** A usage in which nothing was measured, for one reason. */
export function emptyUsage(why: string): Usage {
  return Object.fromEntries(usageKeys.map((key) => [key, { value: null, why }])) as Usage
}
