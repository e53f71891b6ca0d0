import { thinner, type Curve } from '../../analysis/series/decimate.ts'
import { upperEnvelope } from '../../analysis/series/envelope.ts'
import type { CurveMetric } from '../../analysis/series/job-curves.ts'
import { formatCount } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import { quietLine } from '../palette.ts'
import type { Figure, LegendEntry, PlotTrace } from './figure.ts'
import { lineStyle, type LineStyle } from './line-style.ts'
import type { PlotJob } from '../../analysis/series/plot-job.ts'
import { hoverFormat, plotMetrics, plottedTimes, plottedValues, toolbarPixels } from './plot-job.ts'
import { plotText, shortName } from './plot-text.ts'

/** So many lines can be followed at once; with more than fit, only those with the highest peaks are drawn at first. */
const linesAtFirst = 20
const linesWithoutChoice = 40
/** What a browser draws and drags without delay. */
const mostPoints = 120_000
const mostBuckets = 500

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
  metric: CurveMetric,
  timeTitle: string,
): Figure {
  const lines = jobs.flatMap((job) => linesOf(job, metric)).toSorted((a, b) => b.peak - a.peak)
  const buckets = Math.min(
    mostBuckets,
    Math.max(8, Math.floor(mostPoints / 2 / Math.max(1, lines.length))),
  )
  const chosen = lines.length > linesWithoutChoice ? linesAtFirst : lines.length
  const names = legendNames(lines, chosen)
  const above = chosen < lines.length ? [envelopeTrace(lines, metric)] : []
  const { title, unit } = plotMetrics[metric]
  return {
    data: [
      ...above,
      ...lines.map((line, index) => ({
        ...lineTrace(line, lineStyle(index)),
        name: plotText(names[index] ?? ''),
        ...points(thinner(line.curve, buckets), metric),
        hovertemplate: `%{fullData.name}: ${hoverFormat(metric)}<extra></extra>`,
        ...(index < chosen ? {} : { visible: false }),
      })),
    ],
    layout: {
      hovermode: 'closest',
      xaxis: { type: 'date', title: { text: timeTitle }, hoverformat: '%Y-%m-%d %H:%M:%S' },
      yaxis: { title: { text: `${title} (${unit})` }, rangemode: 'tozero' },
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

/** As long as leaves room for the plot, and no two alike. */
function legendNames(lines: readonly Line[], shown: number): string[] {
  const columns = Math.max(24, Math.min(72, Math.floor(960 / Math.max(1, shown))))
  const short = lines.map(({ name }) => shortName(name, columns))
  const times = new Map<string, number>()
  for (const name of short) times.set(name, (times.get(name) ?? 0) + 1)
  return short.map((name, index) =>
    times.get(name) === 1 ? name : `${lines[index]?.jobId ?? ''}: ${name}`,
  )
}

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
export function overviewNote(jobs: readonly PlotJob[], metric: CurveMetric): string {
  const lines = jobs.reduce((sum, job) => sum + linesOf(job, metric).length, 0)
  return lines > linesWithoutChoice
    ? `The ${linesAtFirst} highest peaks of ${formatCount(lines)}; the grey line is the highest of all at each moment. Click a line in the legend to show or hide it, double-click to show it alone; the list adds others.`
    : 'Click a line in the legend to show or hide it, double-click to show it alone.'
}

function linesOf(job: PlotJob, metric: CurveMetric): Line[] {
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

function envelopeTrace(lines: readonly Line[], metric: CurveMetric): PlotTrace {
  const envelope = upperEnvelope(
    lines.map(({ curve }) => curve),
    mostBuckets,
  )
  return {
    type: 'scatter',
    mode: 'lines',
    name: `highest of all ${formatCount(lines.length)}`,
    ...points(envelope, metric),
    line: { width: 1, color: quietLine },
    fill: 'tozeroy',
    fillcolor: `${quietLine}1f`,
    hoverinfo: 'skip',
  }
}

const points = ({ times, values }: Curve, metric: CurveMetric) => ({
  x: plottedTimes(times),
  y: plottedValues(metric, values),
})
