import { boxOf, type Box } from '../../analysis/statistics/box.ts'
import type { JobRecord } from '../../model/record.ts'
import type { UsageKey } from '../../model/usage.ts'
import {
  notMeasured,
  roundKeeping,
  tableBytes,
  tablePercent,
  tableSeconds,
} from '../units/figures.ts'
import { durationBound, figureWords, usageFigure } from '../units/usage-figure.ts'
import { jobGroup } from './job-group.ts'
import { reportResources, type ReportResource } from './report-resources.ts'
import type { ReportSourceJob } from '../../analysis/workflow/gathered-report.ts'

/** What a job used of one resource; the words are those of every other report. */
export interface ResourceUse {
  readonly used: number | null
  readonly text: string
  readonly mean: string | null
  readonly meanUsed: number | null
  readonly request: number | null
  readonly requestText: string | null
  /** Percent of the request; null without one, or where nothing was measured. */
  readonly share: number | null
}

/** By the last attempt that has ended, or else the one that runs. */
export function resourceUse(job: ReportSourceJob, resource: ReportResource): ResourceUse {
  const record = job.attempts.at(-1)?.record
  const { cpus, memoryBytes, runtimeSeconds } = job.requirements
  switch (resource) {
    case 'memory':
      return useOf(record, ['memoryPeakBytes', 'memoryMeanBytes'], memoryBytes, tableBytes)
    case 'cpu':
      return useOf(
        record,
        ['cpuPercentPeak', 'cpuPercentMean'],
        cpus === null ? null : cpus * 100,
        tablePercent,
      )
    case 'runtime':
      return runtimeUse(record, runtimeSeconds)
  }
}

function runtimeUse(record: JobRecord | undefined, request: number | null): ResourceUse {
  const used = record?.durationSeconds ?? null
  const text =
    record === undefined || used === null
      ? notMeasured
      : `${durationBound(record.status)}${tableSeconds(used)}`
  return { ...noUse, used, text, ...requestOf(used, request, tableSeconds) }
}

const noUse = { used: null, text: notMeasured, mean: null, meanUsed: null }

function useOf(
  record: JobRecord | undefined,
  [peak, mean]: readonly [peak: UsageKey, mean: UsageKey],
  request: number | null,
  words: (value: number) => string,
): ResourceUse {
  if (record === undefined) return { ...noUse, ...requestOf(null, request, words) }
  const { usage } = record
  const used = usageFigure(usage, peak)
  const meanUsed = usageFigure(usage, mean)
  return {
    used,
    text: figureWords(usage, peak, words),
    mean: meanUsed === null ? null : figureWords(usage, mean, words),
    meanUsed,
    ...requestOf(used, request, words),
  }
}

function requestOf(
  used: number | null,
  request: number | null,
  words: (value: number) => string,
): Pick<ResourceUse, 'request' | 'requestText' | 'share'> {
  const isShare = used !== null && request !== null && request > 0
  return {
    request,
    requestText: request === null ? null : words(request),
    share: isShare ? roundKeeping((used / request) * 100, 2) : null,
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
      group: nameOf(group, members),
      jobs: members.length,
      raw: boxes(members, ({ used }) => used),
      share: boxes(members, ({ share }) => share),
    }))
    .toSorted((a, b) => b.jobs - a.jobs)
}

/** Of jobs without a requirement that has a name, one alone is known by its own. */
function nameOf(group: string, [first, ...others]: readonly ReportSourceJob[]): string {
  const isAlone = first?.requirementsName === null && others.length === 0
  return isAlone ? first.name : group
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
