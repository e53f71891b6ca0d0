import { gpuReason, usedCards } from '../../model/gpu-usage.ts'
import type { JobChartData } from '../../model/job-chart-data.ts'
import { boundBy } from '../../analysis/job/bound-by.ts'
import { upperEnvelope } from '../../analysis/series/envelope.ts'
import type { AttemptCurves, CurveMetric } from '../../analysis/series/job-curves.ts'
import { runTimeline, type Timeline } from '../../analysis/workflow/run-timeline.ts'
import { checkUtilization, type CheckedAttempt } from '../../analysis/workflow/utilization.ts'
import { certainValue, isLowerBound } from '../../model/measured.ts'
import { memoryLimitMetIn } from '../../model/usage.ts'
import { isOpen } from '../../model/outcome.ts'
import { markReportJson } from '../marks/marks-json.ts'
import { markRows } from '../marks/marks-rows.ts'
import { formatCount } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import { figureWords, usageFigure } from '../units/usage-figure.ts'
import { checkWords, evidenceWords } from '../reports/utilization/figures.ts'
import { measuredHow } from './measured-how.ts'
import { jobWarning, outcomeTiles } from './outcome-tiles.ts'
import type { JobShape, ReportData, ReportJob, Violation } from './report-content.ts'
import { reportResources } from './report-resources.ts'
import { groupBoxes, resourceUse } from './resource-figures.ts'
import type { ReportAttempt, ReportSourceJob } from '../../analysis/workflow/gathered-report.ts'
import type { ReportSource } from './report-source.ts'
import { shortTime } from '../units/zoned-time.ts'

/** All numbers of all shapes of a page, which are most of its size. */
const mostShapeSteps = 50_000

export function reportData(source: ReportSource): ReportData {
  const timeline = runTimeline(
    source.jobs.map(({ name, dependsOn, attempts }) => ({
      name,
      dependsOn,
      attempts: attempts.map(({ runId, record }) => ({
        runId,
        startedAt: record.startedAt,
        endedAt: lastSeenAt(record),
      })),
    })),
    source.runs,
    source.generatedAt,
  )
  const checked = checkUtilization(source.jobs.flatMap(lastChecked), {
    minOverPercent: 1,
    includeFailed: true,
  })
  const violations = checked.violations
    .map((check): Violation => {
      const words = checkWords(check)
      return {
        jobId: check.jobId,
        name: printable(check.jobName),
        resource: check.resourceType,
        specified: words.specified,
        used: words.peak_used,
        over: words.over_utilization,
        overPercent: check.overPercent ?? 0,
      }
    })
    .toSorted((a, b) => b.overPercent - a.overPercent)
  const steps = shapeSteps(source)
  const charts = source.kind === 'job' ? source.jobs[0]?.attempts.at(-1)?.charts : undefined
  return {
    kind: source.kind,
    title: printable(source.title),
    facts: source.facts.map(([name, fact]) => [name, printable(fact)]),
    made: `jobmeter ${source.version}, ${shortTime(source.generatedAt, source.zone)}`,
    states: stateCounts(source.jobs),
    tiles: outcomeTiles(source, timeline.seconds, checked),
    timeline: { seconds: rounded(timeline.seconds), runs: timeline.runs },
    jobs: source.jobs.map((job, index) => reportJob(job, timeline.jobs[index], steps)),
    groups: groupBoxes(source.jobs),
    violations,
    failures: checked.failures.map((failed) => ({
      jobId: failed.jobId,
      name: printable(failed.jobName),
      status: failed.status,
      cause: failed.cause,
      evidence: printable(evidenceWords(failed.evidence)),
    })),
    recommendations: source.recommendations,
    measured: measuredHow(source.jobs),
    marks: source.jobs.flatMap(markedRows),
    charts: charts === undefined ? null : printableCharts(charts),
  }
}

/** null while it runs. Of one whose end nobody saw it is certain that it began, and no more than that. */
const lastSeenAt = ({ status, startedAt, endedAt }: ReportAttempt['record']): number | null =>
  endedAt ?? (isOpen(status) ? null : startedAt)

function markedRows({ name, attempts }: ReportSourceJob): string[][] {
  const marks = attempts.at(-1)?.marks ?? null
  if (marks === null) return []
  return markRows(markReportJson(marks)).map((cells) => [printable(name), ...cells])
}

function reportJob(
  job: ReportSourceJob,
  bar: Timeline['jobs'][number] | undefined,
  steps: number,
): ReportJob {
  const last = job.attempts.at(-1)
  const uses = reportResources.map((resource) => [resource, resourceUse(job, resource)])
  return {
    id: job.jobId,
    name: printable(job.name),
    state: job.state,
    group: nullOr(job.requirementsName, printable),
    waitsFor: job.dependsOn.length,
    attempts: job.attempts.length,
    exitCode: last?.record.exitCode ?? null,
    reason: last?.record.reason === undefined ? null : nullOr(last.record.reason, printable),
    warning: nullOr(jobWarning(job), printable),
    boundBy: last === undefined ? null : printable(boundBy(last.record).sentence),
    readyAt: nullOr(bar?.readyAt ?? null, rounded),
    bars: (bar?.attempts ?? []).map(({ from, to }, index) => [
      rounded(from),
      rounded(to),
      job.attempts[index]?.record.status ?? 'unknown',
    ]),
    isCritical: bar?.isCritical ?? false,
    cpuSeconds: last === undefined ? null : usageFigure(last.record.usage, 'cpuTotalSeconds'),
    processesPeak:
      last === undefined ? null : figureWords(last.record.usage, 'processesPeak', formatCount),
    use: Object.fromEntries(uses) as ReportJob['use'],
    shape: last?.curves ? shapeOf(last.curves, steps) : null,
  }
}

/** A job by its last attempt, as the check of its requests reads it. */
function lastChecked({ jobId, name, requirements, attempts }: ReportSourceJob): CheckedAttempt[] {
  const last = attempts.at(-1)
  return last === undefined ? [] : [checkedAttempt(jobId, name, requirements, last)]
}

function checkedAttempt(
  jobId: number,
  jobName: string,
  requirements: ReportSourceJob['requirements'],
  { runId, attempt, record }: ReportAttempt,
): CheckedAttempt {
  const { status, exitCode, signal, reason, durationSeconds, usage } = record
  const peaks = ['cpuPercentPeak', 'memoryPeakBytes'] as const
  const why = (key: (typeof peaks)[number]) => {
    const figure = usage[key]
    return figure.value === null ? { [key]: figure.why } : {}
  }
  return {
    jobId,
    jobName,
    runId,
    attempt,
    status,
    exitCode,
    signal,
    reason,
    requirements,
    durationSeconds,
    cpuPercentPeak: usage.cpuPercentPeak.value,
    memoryPeakBytes: usage.memoryPeakBytes.value,
    processesKilledForMemory: usage.processesKilledForMemory.value,
    cgroupMemoryPeakBytes: certainValue(usage.cgroupMemoryPeakBytes),
    memoryLimitMetBytes: memoryLimitMetIn(usage),
    gpuCardsUsed: usedCards(usage),
    gpuWhyNot: gpuReason(usage),
    lowerBounds: peaks.filter((key) => isLowerBound(usage[key])),
    unmeasured: { ...why('cpuPercentPeak'), ...why('memoryPeakBytes') },
  }
}

function stateCounts(jobs: readonly ReportSourceJob[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { state } of jobs) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

const shapeSteps = ({ jobs }: ReportSource): number =>
  Math.max(12, Math.min(300, Math.floor(mostShapeSteps / 2 / Math.max(1, jobs.length))))

/** What others wrote, as it may be shown: names of jobs, threads and phases, and messages. */
const printableCharts = (data: JobChartData): JobChartData => ({
  ...data,
  name: printable(data.name),
  charts: data.charts.map((chart) => ({
    ...chart,
    title: printable(chart.title),
    series: chart.series.map((one) => ({ ...one, label: printable(one.label) })),
  })),
  absent: data.absent.map((one) => ({ ...one, why: printable(one.why) })),
  phases: data.phases.map((phase) => ({ ...phase, label: printable(phase.label) })),
  marks: data.marks.map((mark) => ({ ...mark, label: printable(mark.label) })),
})

function shapeOf(curves: AttemptCurves, steps: number): JobShape | null {
  const seconds = curves.endedAt - curves.startedAt
  if (!(seconds > 0)) return null
  const line = (metric: CurveMetric): number[] | null => {
    const curve = curves.metrics[metric]
    if (curve.times.length < 2) return null
    return Array.from(upperEnvelope([curve], Math.min(steps, curve.times.length)).values, (value) =>
      Number(value.toPrecision(4)),
    )
  }
  return {
    seconds: rounded(seconds),
    cpuPercent: line('cpuPercent'),
    memoryBytes: line('memoryBytes'),
  }
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

const nullOr = <T, U>(value: T | null, make: (value: T) => U): U | null =>
  value === null ? null : make(value)
