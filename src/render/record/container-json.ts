import type { Measured } from '../../model/measured.ts'
import type { Usage } from '../../model/usage.ts'

/** The container of a job in the words of `docker stats`; the same figures as numbers are in the usage. */
export interface ContainerStatsJson {
  readonly cpu_percent: string | null
  readonly memory_usage: string | null
  readonly memory_percent: string | null
  readonly net_io: string | null
  readonly block_io: string | null
}

/** Empty for a job that did not run in a container. */
export function containerStatsJson(
  usage: Usage,
  machineMemoryBytes: number | null,
): ContainerStatsJson | Readonly<Record<string, never>> {
  const figures: Readonly<Record<string, Measured>> = usage
  if (figures['containerRunSeconds'] === undefined) return {}
  const figure = (key: string): number | null => figures[key]?.value ?? null
  const peak = figure('containerMemoryPeakBytes')
  // As Docker does: without a limit, the machine is the limit.
  const limit = figure('containerMemoryLimitBytes') ?? machineMemoryBytes
  return {
    cpu_percent: figure('containerCpuPercentMean')?.toFixed(2) ?? null,
    memory_usage: pair(peak, limit, binarySize),
    memory_percent: peak === null || !limit ? null : ((100 * peak) / limit).toFixed(2),
    net_io: pair(figure('containerNetReceivedBytes'), figure('containerNetSentBytes'), decimalSize),
    block_io: pair(
      figure('containerBlockReadBytes'),
      figure('containerBlockWriteBytes'),
      decimalSize,
    ),
  }
}

const pair = (
  first: number | null,
  second: number | null,
  size: (bytes: number) => string,
): string | null => (first === null || second === null ? null : `${size(first)} / ${size(second)}`)

const inSteps =
  (step: number, digits: number, units: readonly string[]) =>
  (bytes: number): string => {
    let value = bytes
    let unit = 0
    // Rounded first: 1023.99 KiB is 1 MiB, not 1024 KiB.
    while (Number(value.toPrecision(digits)) >= step && unit < units.length - 1) {
      value /= step
      unit += 1
    }
    return `${Number(value.toPrecision(digits))}${units[unit]}`
  }

/** `2.5GiB`. */
const binarySize = inSteps(1024, 4, ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'])
/** `1.2MB`, of 1000 each. */
const decimalSize = inSteps(1000, 3, ['B', 'KB', 'MB', 'GB', 'TB', 'PB'])
