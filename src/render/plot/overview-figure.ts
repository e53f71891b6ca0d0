import { thinner, type Curve } from '../../analysis/series/decimate.ts'
import { upperEnvelope } from '../../analysis/series/envelope.ts'
import { count } from '../../model/count.ts'
import { formatCount } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import { quietLine } from '../palette.ts'
import type { Figure, LegendEntry, PlotTrace } from './figure.ts'
import { lineStyle, type LineStyle } from './line-style.ts'
import type { PlotJob } from '../../analysis/series/plot-job.ts'
import {
  axisTitle,
  hoverFormat,
  plotMetrics,
  plottedTimes,
  plottedValues,
  plotUnit,
  toolbarPixels,
  type PlotUnit,
} from './plot-job.ts'
import { missesPeak } from './plot-figures.ts'
import { plotText, shortJobNames } from './plot-text.ts'

/** So many lines can be followed at once; with more than fit, only those with the highest peaks are drawn at first. */
const linesAtFirst = 20
const linesWithoutChoice = 40
/** What a browser draws and drags without delay. */
const mostPoints = 120_000
const mostBuckets = 500

/** What there are such figures of. */
export type OverviewMetric = 'cpuPercent' | 'memoryBytes'

interface Line {
  readonly jobId: number
  readonly name: string
  readonly peak: number
  readonly curve: Curve
  readonly startedAt: number
}

/** One metric of all jobs, to compare them. The page has a list of those that are not drawn at first. */
export function overviewFigure(
  jobs: readonly PlotJob[],
  metric: OverviewMetric,
  timeTitle: string,
): Figure {
  const lines = jobs.flatMap((job) => linesOf(job, metric)).toSorted((a, b) => b.peak - a.peak)
  const buckets = Math.min(
    mostBuckets,
    Math.max(8, Math.floor(mostPoints / 2 / Math.max(1, lines.length))),
  )
  const chosen = lines.length > linesWithoutChoice ? linesAtFirst : lines.length
  const names = legendNames(lines, chosen)
  const unit = plotUnit(metric, lines[0]?.peak ?? 0)
  const above = chosen < lines.length ? [envelopeTrace(lines, unit)] : []
  return {
    data: [
      ...above,
      ...lines.map((line, index) => ({
        ...lineTrace(line, lineStyle(index)),
        name: plotText(names[index] ?? ''),
        ...points(thinner(line.curve, buckets), unit),
        hovertemplate: `%{fullData.name}: ${hoverFormat(unit)}<extra></extra>`,
        ...(index < chosen ? {} : { visible: false }),
      })),
    ],
    layout: {
      hovermode: 'closest',
      xaxis: { type: 'date', title: { text: timeTitle }, hoverformat: '%Y-%m-%d %H:%M:%S' },
      yaxis: { title: { text: axisTitle(plotMetrics[metric].title, unit) }, rangemode: 'tozero' },
      margin: { r: 30, t: toolbarPixels },
    },
    legend: [
      ...above.map(({ name }, index) => ({ name, traces: [index] })),
      ...lines.map(({ name }, index): LegendEntry => {
        const shown = names[index] ?? ''
        const traces = [index + above.length]
        return shown === name ? { name, traces } : { name: shown, wholeName: name, traces }
      }),
    ],
  }
}

/** As long as leaves room for the plot. */
const legendNames = (lines: readonly Line[], shown: number): string[] =>
  shortJobNames(lines, Math.max(24, Math.min(72, Math.floor(960 / Math.max(1, shown)))))

function lineTrace(
  { curve, startedAt }: Line,
  { colour, dash, symbol }: LineStyle,
): Pick<PlotTrace, 'type' | 'mode' | 'meta' | 'line' | 'marker'> {
  const isShort = curve.times.length < 3
  return {
    type: 'scatter',
    mode: isShort || symbol !== null ? 'lines+markers' : 'lines',
    // From where the line counts when all starts are put on one another.
    meta: Math.round(startedAt * 1000),
    line: { width: 1.6, color: colour, dash },
    // Marks at every point would hide the line.
    ...(symbol === null
      ? {}
      : { marker: { symbol, color: colour, size: 7, maxdisplayed: isShort ? 0 : 12 } }),
  }
}

/** What a page says above such a figure. */
export function overviewNote(jobs: readonly PlotJob[], metric: OverviewMetric): string {
  const ofJobs = jobs.map((job) => linesOf(job, metric).length)
  const lines = ofJobs.reduce((sum, some) => sum + some, 0)
  const without = ofJobs.filter((some) => some === 0).length
  const missing =
    without === 0
      ? ''
      : ` For ${formatCount(without)} of ${count(jobs.length, 'job')} there is no sample of ${sampledAs[metric]}.`
  const samples = samplesNote(jobs, metric)
  return lines > linesWithoutChoice
    ? `The ${linesAtFirst} highest peaks of ${formatCount(lines)}; the grey line is the highest of all at each moment.${missing} Click a line in the legend to show or hide it, double-click to show it alone; the list adds others.${samples}`
    : `Click a line in the legend to show or hide it, double-click to show it alone.${missing}${samples}`
}

/** The summary tells the recorded peaks of last attempts: they would seem to contradict the lines. */
function samplesNote(jobs: readonly PlotJob[], metric: OverviewMetric): string {
  const missing = jobs.filter(({ attempts }) => {
    const last = attempts.at(-1)
    return last !== undefined && missesPeak(last, metric)
  })
  if (missing.length === 0) return ''
  return ` Lines are drawn through samples: for ${formatCount(missing.length)} of ${count(jobs.length, 'job')}, the highest point of the line is not the recorded peak, which the summary shows.`
}

const sampledAs: Readonly<Record<OverviewMetric, string>> = {
  cpuPercent: 'the CPU',
  memoryBytes: 'memory',
}

function linesOf(job: PlotJob, metric: OverviewMetric): Line[] {
  return job.attempts.flatMap(({ label, curves }) => {
    const curve = curves.metrics[metric]
    if (curve.peak === null) return []
    const name = job.attempts.length === 1 ? job.name : `${job.name}, ${label}`
    return [
      {
        jobId: job.jobId,
        name: printable(name),
        peak: curve.peak,
        curve,
        startedAt: curves.startedAt,
      },
    ]
  })
}

function envelopeTrace(lines: readonly Line[], unit: PlotUnit): PlotTrace {
  const envelope = upperEnvelope(
    lines.map(({ curve }) => curve),
    mostBuckets,
  )
  return {
    type: 'scatter',
    mode: 'lines',
    name: `highest of all ${formatCount(lines.length)}`,
    x: plottedTimes(envelope.times),
    y: plottedValues(unit, envelope.values).map((value) => (Number.isNaN(value) ? null : value)),
    line: { width: 1, color: quietLine },
    fill: 'tozeroy',
    fillcolor: `${quietLine}1f`,
    hoverinfo: 'skip',
  }
}

const points = ({ times, values }: Curve, unit: PlotUnit) => ({
  x: plottedTimes(times),
  y: plottedValues(unit, values),
})
