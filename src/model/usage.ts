import { certainValue, measured, type Measured } from './measured.ts'

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

/** A further figure of jobs that were held to a limit other than their request. */
export const memoryLimitFigure = {
  key: 'memoryLimitBytes',
  says: 'memory that the job was held to (`--memory-limit`); only where that is not its request',
} as const satisfies FigureDefinition

/** The usage with the limit that the job was held to. */
export function withMemoryLimit(usage: Usage, limitBytes: number): Usage {
  const limit = { [memoryLimitFigure.key]: measured(limitBytes, 'as set for this attempt') }
  return { ...usage, ...limit }
}

/** null for a job without one. */
export const memoryLimitIn = (usage: Usage): number | null =>
  furtherValue(usage, memoryLimitFigure.key)

/** A further figure of jobs that needed more than they were limited to. */
export const memoryLimitMetFigure = {
  key: 'memoryLimitMetBytes',
  says: 'the memory limit at which processes of the job were killed; not there if they were killed because the whole machine, or a container around the job, was out of memory',
} as const satisfies FigureDefinition

/** The usage of a job of which processes were killed at this limit. */
export function withMemoryLimitMet(usage: Usage, limitBytes: number, basis: string): Usage {
  const met = { [memoryLimitMetFigure.key]: measured(limitBytes, basis) }
  return { ...usage, ...met }
}

/**
 * The kernel kills at a limit when nothing below it can be freed: the peak of the cgroup is then the limit, but for a few pages.
 * Where the peak is less than this share of it, the kill was for want of memory elsewhere.
 */
export const nearMemoryLimit = 0.9

/** null for a job that met none. */
export const memoryLimitMetIn = (usage: Usage): number | null =>
  furtherValue(usage, memoryLimitMetFigure.key)

/** What a container may use; null for a job in none, or in one without a limit. */
export const containerMemoryLimitIn = (usage: Usage): number | null =>
  furtherValue(usage, 'containerMemoryLimitBytes')

/** A further figure of jobs whose processes were looked at until shortly before they ended, and left no account. */
export const cpuUnseenFigure = {
  key: 'cpuUnseenSeconds',
  says: 'for how long processes of the job went unseen before they ended, or may have begun unseen; only where `cpu_total_seconds` is a lower bound for no other reason',
} as const satisfies FigureDefinition

/** null where that is not known: it may be any part of its time. */
export function cpuUnseenIn(usage: Usage): number | null {
  const found = furtherFigures(usage).find(([name]) => name === cpuUnseenFigure.key)
  return found === undefined ? null : certainValue(found[1])
}

/** Cores that the container of a job may use; null for one without such a limit, and for a job in none. */
export function containerCoresIn(usage: Usage): number | null {
  const percent = furtherValue(usage, 'containerCpuLimitPercent')
  return percent === null ? null : percent / 100
}

function furtherValue(usage: Usage, key: string): number | null {
  const found = furtherFigures(usage).find(([name]) => name === key)
  return found?.[1].value ?? null
}
