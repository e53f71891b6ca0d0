import { megabyte } from '../../model/bytes.ts'
import type { SamplingFacts } from '../../model/record.ts'
import type { Usage, UsageKey } from '../../model/usage.ts'
import { roundKeeping } from '../units/figures.ts'
import { gpuStatsJson, type GpuStatsJson } from './gpu-json.ts'
import { usageFigure } from '../units/usage-figure.ts'
import { containerStatsJson, type ContainerStatsJson } from './container-json.ts'

/** The four figures that every job of the documented job history has. */
export interface ResourceUsageJson {
  readonly cpu_user_seconds: number | null
  readonly cpu_system_seconds: number | null
  readonly cpu_total_seconds: number | null
  readonly memory_peak_mb: number | null
}

/** The documented detailed profile. `cpu` and `memory` are the machine's, `process_…` the job's. */
export interface ProfileJson {
  readonly duration_seconds: number | null
  readonly samples_collected: number
  readonly sampling_interval_seconds: number
  readonly cpu: Extent<'mean_percent' | 'max_percent' | 'min_percent'>
  readonly memory: Extent<'mean_used_mb' | 'max_used_mb' | 'min_used_mb'>
  readonly process_cpu: Extent<'mean_percent' | 'max_percent'>
  readonly process_memory: Extent<'mean_mb' | 'max_mb' | 'min_mb'>
  /** Bytes that reached storage; the counts are read and write calls. */
  readonly io_stats: Extent<'read_mb' | 'write_mb' | 'read_count' | 'write_count' | 'total_io_mb'>
  readonly gpu_stats: GpuStatsJson
  readonly container_stats: ContainerStatsJson | Readonly<Record<string, never>>
}

type Extent<Key extends string> = Readonly<Record<Key, number | null>>

export function resourceUsageJson(usage: Usage): ResourceUsageJson {
  return {
    cpu_user_seconds: usageFigure(usage, 'cpuUserSeconds'),
    cpu_system_seconds: usageFigure(usage, 'cpuSystemSeconds'),
    cpu_total_seconds: usageFigure(usage, 'cpuTotalSeconds'),
    memory_peak_mb: megabytes(usageFigure(usage, 'memoryPeakBytes')),
  }
}

/** Null where the job was not watched. */
export function profileJson(
  usage: Usage,
  { collected, intervalSeconds }: SamplingFacts,
  durationSeconds: number | null,
  machineMemoryBytes: number | null,
): ProfileJson | null {
  if (intervalSeconds === null) return null
  return watchedProfileJson(
    usage,
    { collected, intervalSeconds },
    durationSeconds,
    machineMemoryBytes,
  )
}

export function watchedProfileJson(
  usage: Usage,
  samples: { readonly collected: number; readonly intervalSeconds: number },
  durationSeconds: number | null,
  machineMemoryBytes: number | null,
): ProfileJson {
  const figure = (key: UsageKey) => usageFigure(usage, key)
  const mb = (key: UsageKey) => megabytes(figure(key))
  const readBytes = figure('readBytes')
  const writeBytes = figure('writeBytes')
  return {
    duration_seconds: durationSeconds,
    samples_collected: samples.collected,
    sampling_interval_seconds: samples.intervalSeconds,
    cpu: {
      mean_percent: figure('machineCpuPercentMean'),
      max_percent: figure('machineCpuPercentMax'),
      min_percent: figure('machineCpuPercentMin'),
    },
    memory: {
      mean_used_mb: mb('machineMemoryMeanBytes'),
      max_used_mb: mb('machineMemoryMaxBytes'),
      min_used_mb: mb('machineMemoryMinBytes'),
    },
    process_cpu: {
      mean_percent: figure('cpuPercentMean'),
      max_percent: figure('cpuPercentPeak'),
    },
    process_memory: {
      mean_mb: mb('memoryMeanBytes'),
      max_mb: mb('memoryPeakBytes'),
      min_mb: mb('memoryMinBytes'),
    },
    io_stats: {
      read_mb: megabytes(readBytes),
      write_mb: megabytes(writeBytes),
      read_count: figure('readCalls'),
      write_count: figure('writeCalls'),
      total_io_mb:
        readBytes === null || writeBytes === null ? null : megabytes(readBytes + writeBytes),
    },
    gpu_stats: gpuStatsJson(usage),
    container_stats: containerStatsJson(usage, machineMemoryBytes),
  }
}

const megabytes = (bytes: number | null): number | null =>
  bytes === null ? null : roundKeeping(bytes / megabyte, 3)
