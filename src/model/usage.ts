import type { Measured } from './measured.ts'

/**
 * The figures of every usage, in the order in which they are shown: the analyses know these by name. The gauges that
 * measure them (`meter/gauges`) say what they mean, and a gauge may add further figures to a usage, by name. Names carry
 * the unit; `machine…` figures cover the whole machine while the job ran.
 *
 * @example
 * ```ts
 * import { measure, usageKeys, type Usage, type UsageKey } from 'jobmeter'
 *
 * const usage: Usage = (await measure(['true'])).usage
 * const isKnown = (key: UsageKey): boolean => usage[key].value !== null
 * for (const key of usageKeys.filter(isKnown)) console.log(key, usage[key].value)
 * ```
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

/**
 * The key of a figure that every usage has.
 *
 * @see usageKeys
 */
export type UsageKey = (typeof usageKeys)[number]
/**
 * What an attempt used. It may have further figures: see `furtherFigures`.
 *
 * @see usageKeys
 */
export type Usage = Readonly<Record<UsageKey, Measured>>

/** The key of a figure in a usage, and what it means. */
export interface FigureDefinition<Key extends string = string> {
  readonly key: Key
  readonly says: string
}

const knownKeys: ReadonlySet<string> = new Set(usageKeys)

/** The figures of a usage that are not in `usageKeys`, by their keys. */
export function furtherFigures(usage: Usage): (readonly [key: string, figure: Measured])[] {
  // Most have none, and this is asked at the end of each of thousands of jobs.
  if (Object.keys(usage).length === usageKeys.length) return []
  return Object.entries<Measured>(usage).filter(([key]) => !knownKeys.has(key))
}

/** Whether a further figure can have this key: it must look like the others, and not be one of them. */
export const isFurtherKey = (key: string): boolean =>
  /^[a-z][a-zA-Z0-9]{0,99}$/.test(key) && !knownKeys.has(key)

/** A usage in which nothing was measured, for one reason. */
export function emptyUsage(why: string): Usage {
  return Object.fromEntries(usageKeys.map((key) => [key, { value: null, why }])) as Usage
}
