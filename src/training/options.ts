import { alertPolicy } from '../analysis/policy.ts'

/**
 * What can be set of a `ResourceMonitorCallback`; YAML and Python have the same names in snake_case.
 *
 * @see ResourceMonitorCallback
 */
export interface ResourceMonitorSettings {
  /** Off: nothing is read, written or printed. */
  readonly enabled: boolean
  /** Looks and logs at every so many batches, the first one among them. */
  readonly logInterval: number
  readonly gpuMonitoring: boolean
  /** CPU and memory, of the machine and of the process. */
  readonly cpuMonitoring: boolean
  readonly ioMonitoring: boolean
  readonly alertGpuUnderutilization: boolean
  readonly alertMemoryPressure: boolean
  readonly alertIoBottleneck: boolean
  /** A share of 1: alerts below it. */
  readonly gpuUtilThreshold: number
  /** A share of 1: alerts above it. */
  readonly memoryThreshold: number
  /** A share of 1: alerts above it. */
  readonly ioWaitThreshold: number
  /** Writes `<timeseriesPath>/epoch_<N>.csv`. */
  readonly exportTimeseries: boolean
  readonly timeseriesPath: string
}

const defaultSettings: ResourceMonitorSettings = {
  enabled: true,
  logInterval: 10,
  gpuMonitoring: true,
  cpuMonitoring: true,
  ioMonitoring: true,
  alertGpuUnderutilization: true,
  alertMemoryPressure: true,
  alertIoBottleneck: true,
  gpuUtilThreshold: alertPolicy.gpuUsedPercent / 100,
  memoryThreshold: alertPolicy.machineMemoryPercent / 100,
  ioWaitThreshold: alertPolicy.ioWaitPercent / 100,
  exportTimeseries: true,
  timeseriesPath: 'resource_logs',
}

export type SettingName = keyof ResourceMonitorSettings

export const settingNames = Object.keys(defaultSettings) as readonly SettingName[]

/** What a setting may be, by the kind of its default. */
export type SettingKind = 'flag' | 'share' | 'count' | 'path'

export function settingKind(name: SettingName): SettingKind {
  const standard = defaultSettings[name]
  if (typeof standard === 'boolean') return 'flag'
  if (typeof standard === 'string') return 'path'
  return name === 'logInterval' ? 'count' : 'share'
}

/** `gpu_util_threshold` of `gpuUtilThreshold`. */
export const snakeName = (name: SettingName): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const expected: Readonly<Record<SettingKind, string>> = {
  flag: 'true or false',
  share: 'a number from 0 to 1',
  count: 'a whole number of at least 1',
  path: 'a path',
}

const fits: Readonly<Record<SettingKind, (value: unknown) => boolean>> = {
  flag: (value) => typeof value === 'boolean',
  share: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  path: (value) => typeof value === 'string' && value !== '' && !value.includes('\0'),
}

/** What is given, and defaults for the rest. Throws where a value makes no sense: that is a mistake in the program. */
export function settled(
  given: Partial<ResourceMonitorSettings>,
  shownName: (name: SettingName) => string = (name) => name,
): ResourceMonitorSettings {
  const set = settingNames.map((name) => {
    const value = given[name] ?? defaultSettings[name]
    const kind = settingKind(name)
    if (!fits[kind](value))
      throw new RangeError(
        `${shownName(name)} must be ${expected[kind]}, not ${JSON.stringify(value)}`,
      )
    return [name, value] as const
  })
  return Object.fromEntries(set) as unknown as ResourceMonitorSettings
}

/** Settings by their names in snake_case, as YAML and other languages have them. */
export function fromSnakeCase(
  given: Readonly<Record<string, unknown>>,
): Partial<ResourceMonitorSettings> {
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = given[snakeName(name)]
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}

export const inSnakeCase = (settings: ResourceMonitorSettings): Record<string, unknown> =>
  Object.fromEntries(settingNames.map((name) => [snakeName(name), settings[name]]))
