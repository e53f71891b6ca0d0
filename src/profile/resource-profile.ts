import type { Measured } from '../model/measured.ts'
import type { UsageKey } from '../model/usage.ts'
import { containerStatsJson } from '../render/record/container-json.ts'
import { watchedProfileJson, type ProfileJson } from '../render/record/profile-json.ts'
import { roundKeeping } from '../render/units/figures.ts'
import type { LiveSummary } from './live-meter.ts'

/** The parts of a profile that can be chosen, with the live metrics that each of them is made of. */
const sectionMetrics = {
  cpu: ['cpu_percent'],
  memory: ['memory_system_mb', 'memory_available_mb', 'memory_percent'],
  process_cpu: ['cpu_process_percent'],
  process_memory: ['memory_process_mb'],
  io_stats: ['io'],
  gpu_stats: ['gpu'],
} as const

/**
 * A part of a profile that can be chosen.
 *
 * @see ResourceProfiler
 */
export type ProfileSection = keyof typeof sectionMetrics

export const profileSections = Object.keys(sectionMetrics) as readonly ProfileSection[]

/** One figure of each part: if this one is missing, the part could not be measured. */
const figureOfSection: Readonly<Record<Exclude<ProfileSection, 'gpu_stats'>, UsageKey>> = {
  cpu: 'machineCpuPercentMean',
  memory: 'machineMemoryMeanBytes',
  process_cpu: 'cpuPercentMean',
  process_memory: 'memoryPeakBytes',
  io_stats: 'readBytes',
}

/**
 * What was measured between `startProfiling` and `stopProfiling`. `cpu` and `memory` are the machine's, `process_…` those of
 * the process and its descendants. What was not measured is null or empty, and `unavailable` says why.
 *
 * @see ResourceProfiler
 */
export interface ResourceProfile extends ProfileJson {
  /** Why parts of the profile are empty, by their names. */
  readonly unavailable: Readonly<Partial<Record<ProfileSection | 'container_stats', string>>>
}

/** The live metrics that parts of a profile are made of. Throws where there is no such part. */
export function metricsOfSections(sections: readonly ProfileSection[]): readonly string[] {
  return sections.flatMap((section): readonly string[] => {
    const metrics = (sectionMetrics as Readonly<Record<string, readonly string[]>>)[section]
    if (metrics === undefined)
      throw new RangeError(
        `a profile has no part ${JSON.stringify(section)}. It has ${profileSections.join(', ')}`,
      )
    return metrics
  })
}

/** Makes a profile of what was measured. */
export function profileOf(
  summary: LiveSummary,
  sections: readonly ProfileSection[],
): ResourceProfile {
  const { usage, containerUsage, machineMemoryBytes } = summary
  const durationSeconds = roundKeeping(summary.durationSeconds, 6)
  const samples = {
    collected: summary.samplesCollected,
    intervalSeconds: summary.intervalSeconds,
  }
  const profile = watchedProfileJson(usage, samples, durationSeconds, machineMemoryBytes)
  const container =
    containerUsage === null ? {} : containerStatsJson(containerUsage, machineMemoryBytes)
  const whole = { ...profile, container_stats: container }
  return { ...whole, unavailable: reasons(whole, summary, sections) }
}

function reasons(
  {
    gpu_stats: gpus,
    container_stats: container,
  }: Pick<ProfileJson, 'gpu_stats' | 'container_stats'>,
  { usage, containerUsage }: LiveSummary,
  sections: readonly ProfileSection[],
): ResourceProfile['unavailable'] {
  const found: Partial<Record<ProfileSection | 'container_stats', string>> = {}
  for (const section of profileSections) {
    const why =
      section === 'gpu_stats'
        ? Object.keys(gpus).length > 0
          ? undefined
          : whyNoCards(usage)
        : whyMissing(usage[figureOfSection[section]])
    if (why !== undefined) found[section] = sections.includes(section) ? why : 'not asked for'
  }
  if (Object.keys(container).length === 0)
    found.container_stats =
      containerUsage === null
        ? 'no container was named'
        : (whyMissing(containerUsage.cpuTotalSeconds) ?? 'the container could not be measured')
  return found
}

const whyMissing = (figure: Measured): string | undefined =>
  figure.value === null ? figure.why : undefined

function whyNoCards(usage: Readonly<Record<string, Measured>>): string {
  const figure = usage['gpuUtilizationPercentMean']
  return figure === undefined
    ? 'it was over before the GPUs were looked at'
    : (whyMissing(figure) ?? 'no GPU told anything')
}
