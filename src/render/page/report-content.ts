import type { JobChartData } from '../../model/job-chart-data.ts'
import type { Timeline } from '../../analysis/workflow/run-timeline.ts'
import type { MeasuredHow } from './measured-how.ts'
import type { ReportResource } from './report-resources.ts'
import type { GroupBoxes, ResourceUse } from './resource-figures.ts'
import type { ReportRecommendation, ReportSource } from './report-source.ts'

/** What stands in the page as JSON; its script draws nothing else. */
export interface ReportData {
  readonly kind: ReportSource['kind']
  readonly title: string
  readonly facts: ReportSource['facts']
  readonly made: string
  readonly states: Readonly<Record<string, number>>
  readonly tiles: readonly Tile[]
  readonly timeline: { readonly seconds: number; readonly runs: Timeline['runs'] }
  readonly jobs: readonly ReportJob[]
  readonly groups: readonly GroupBoxes[]
  readonly violations: readonly Violation[]
  readonly failures: readonly Failure[]
  readonly recommendations: readonly ReportRecommendation[]
  readonly measured: readonly MeasuredHow[]
  /** What jobs did between marks that their programs set, in words: the job, then the cells of `markHeaders`. */
  readonly marks: readonly (readonly string[])[]
  /** The job over time, on the page of one job. */
  readonly charts: JobChartData | null
}

export interface ReportJob {
  readonly id: number
  readonly name: string
  readonly state: string
  /** The name that its requirements have; null where they have none. */
  readonly group: string | null
  readonly waitsFor: number
  readonly attempts: number
  readonly exitCode: number | null
  readonly reason: string | null
  /** What went wrong although it succeeded. */
  readonly warning: string | null
  /** What held its last attempt back, in one sentence; null for a job that has not run. */
  readonly boundBy: string | null
  readonly readyAt: number | null
  /** From and to, and how it ended. */
  readonly bars: readonly (readonly [from: number, to: number, status: string])[]
  readonly isCritical: boolean
  readonly cpuSeconds: number | null
  /** In words; null for a job that has not run. */
  readonly processesPeak: string | null
  readonly use: Readonly<Record<ReportResource, ResourceUse>>
  readonly shape: JobShape | null
}

/** The job's last attempt over time, the highest value of each of many equal steps. */
export interface JobShape {
  readonly seconds: number
  readonly cpuPercent: readonly number[] | null
  readonly memoryBytes: readonly number[] | null
}

export interface Violation {
  readonly jobId: number
  readonly name: string
  readonly resource: string
  readonly specified: string
  readonly used: string
  readonly over: string
  readonly overPercent: number
}

export interface Failure {
  readonly jobId: number
  readonly name: string
  readonly status: string
  readonly cause: string
  readonly evidence: string
}

/** A figure at the top of the page. */
export interface Tile {
  readonly label: string
  readonly figure: string
  readonly note: string
  readonly mood: 'good' | 'warn' | 'bad' | 'plain'
}
