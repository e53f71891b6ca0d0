import { boxOf, type Box } from '../../analysis/box.ts'
import type { Measured } from '../../model/measured.ts'
import { reportSeconds } from '../utilization-figures.ts'
import { fixedKeeping, tableBytes } from '../figures.ts'
import { usageFigure } from '../usage-figure.ts'
import { jobGroup } from './job-group.ts'
import type { ReportSourceJob } from './report-source.ts'

/** The resources that a report shows, in its order. */
export const reportResources = ['memory', 'cpu', 'runtime'] as const
export type ReportResource = (typeof reportResources)[number]

/** What a job used of one resource; the words are those of every other report. */
export interface ResourceUse {
  readonly used: number | null
  readonly text: string
  readonly mean: string | null
  readonly request: number | null
  readonly requestText: string | null
  /** Percent of the request; null without one, or where nothing was measured. */
  readonly share: number | null
}

const percent = (value: number): string => `${fixedKeeping(value, 1)}%`

/** By the last attempt that has ended, or else the one that runs. */
export function resourceUse(job: ReportSourceJob, resource: ReportResource): ResourceUse {
  const record = job.attempts.at(-1)?.record
  const { cpus, memoryBytes, runtimeSeconds } = job.requirements
  switch (resource) {
    case 'memory':
      return useOf(
        record && usageFigure(record.usage, 'memoryPeakBytes'),
        record && usageFigure(record.usage, 'memoryMeanBytes'),
        memoryBytes,
        tableBytes,
        record?.usage.memoryPeakBytes,
      )
    case 'cpu':
      return useOf(
        record && usageFigure(record.usage, 'cpuPercentPeak'),
        record && usageFigure(record.usage, 'cpuPercentMean'),
        cpus === null ? null : cpus * 100,
        percent,
        record?.usage.cpuPercentPeak,
      )
    case 'runtime':
      return useOf(record?.durationSeconds, null, runtimeSeconds, reportSeconds, undefined)
  }
}

function useOf(
  used: number | null | undefined,
  mean: number | null | undefined,
  request: number | null,
  words: (value: number) => string,
  measured: Measured | undefined,
): ResourceUse {
  const missing = measured?.value === null ? `not measured: ${measured.why}` : '–'
  return {
    used: used ?? null,
    text: used === null || used === undefined ? missing : words(used),
    mean: mean === null || mean === undefined ? null : words(mean),
    request,
    requestText: request === null ? null : words(request),
    share:
      used === null || used === undefined || request === null || !(request > 0)
        ? null
        : Number(((used / request) * 100).toFixed(2)),
  }
}

/** How one resource is spread over the jobs of one group, as it was and in percent of the request. */
export interface GroupBoxes {
  readonly group: string
  readonly jobs: number
  readonly raw: Readonly<Partial<Record<ReportResource, Box>>>
  readonly share: Readonly<Partial<Record<ReportResource, Box>>>
}

/** The groups with the most jobs first. */
export function groupBoxes(jobs: readonly ReportSourceJob[]): GroupBoxes[] {
  const groups = Map.groupBy(jobs, ({ name, requirementsName }) => jobGroup(name, requirementsName))
  return [...groups]
    .map(([group, members]) => ({
      group,
      jobs: members.length,
      raw: boxes(members, ({ used }) => used),
      share: boxes(members, ({ share }) => share),
    }))
    .toSorted((a, b) => b.jobs - a.jobs)
}

function boxes(
  jobs: readonly ReportSourceJob[],
  read: (use: ResourceUse) => number | null,
): Partial<Record<ReportResource, Box>> {
  const found: Partial<Record<ReportResource, Box>> = {}
  for (const resource of reportResources) {
    const box = boxOf(jobs.flatMap((job) => read(resourceUse(job, resource)) ?? []))
    if (box !== undefined) found[resource] = box
  }
  return found
}
