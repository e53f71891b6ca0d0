import { thinner, type Curve } from '../../analysis/decimate.ts'
import { upperEnvelope } from '../../analysis/envelope.ts'
import type { CurveMetric } from '../../analysis/job-curves.ts'
import { formatCount } from '../figures.ts'
import {
  hoverFormat,
  plotMetrics,
  plottedTimes,
  plottedValues,
  type Figure,
  type PlotJob,
} from './plot-job.ts'
import { shortPlotText } from './plot-text.ts'

/** So many lines can be told apart; with more jobs only those with the highest peaks are drawn at first. */
const linesAtFirst = 20
const linesWithoutChoice = 40
/** What a browser draws and drags without delay. */
const mostPoints = 120_000
const mostBuckets = 500

const palette = [
  '#3b74d6',
  '#c8642c',
  '#3f8f63',
  '#a0528f',
  '#16899b',
  '#b28a1c',
  '#6a5fc1',
  '#c24a5a',
  '#5f7f2e',
  '#7a6a5c',
]

interface Line {
  readonly name: string
  readonly peak: number
  readonly curve: Curve
  readonly startedAt: number
}

/** One metric of all jobs, to compare them. The rest can be had from the legend. */
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
  const { title, unit } = plotMetrics[metric]
  return {
    data: [
      ...(chosen < lines.length ? [envelopeTrace(lines, metric)] : []),
      ...lines.map((line, index) => ({
        type: 'scatter',
        mode: line.curve.times.length < 3 ? 'lines+markers' : 'lines',
        name: shortPlotText(line.name, 40),
        ...points(thinner(line.curve, buckets), metric),
        // From where the line counts when all starts are put on one another.
        meta: Math.round(line.startedAt * 1000),
        line: { width: 1.4, color: palette[index % palette.length] },
        hovertemplate: `%{fullData.name}: ${hoverFormat(metric)}<extra></extra>`,
        ...(index < chosen ? {} : { visible: 'legendonly' }),
      })),
    ],
    layout: {
      hovermode: 'closest',
      xaxis: { type: 'date', title: { text: timeTitle }, hoverformat: '%Y-%m-%d %H:%M:%S' },
      yaxis: { title: { text: `${title} (${unit})` }, rangemode: 'tozero' },
      legend: { itemsizing: 'constant' },
      showlegend: true,
      margin: { l: 70, r: 20, t: 20, b: 50 },
    },
  }
}

/** What a page says above such a figure. */
export function overviewNote(jobs: readonly PlotJob[], metric: CurveMetric): string {
  const lines = jobs.reduce((sum, job) => sum + linesOf(job, metric).length, 0)
  return lines > linesWithoutChoice
    ? `The ${linesAtFirst} highest peaks of ${formatCount(lines)}; the grey line is the highest of all at each moment. A click in the legend shows or hides a line, a double click shows it alone.`
    : 'A click in the legend shows or hides a line, a double click shows it alone.'
}

function linesOf(job: PlotJob, metric: CurveMetric): Line[] {
  return job.attempts.flatMap(({ label, curves }) => {
    const curve = curves.metrics[metric]
    if (curve.peak === null) return []
    const name = job.attempts.length === 1 ? job.name : `${job.name}, ${label}`
    return [{ name, peak: curve.peak, curve, startedAt: curves.startedAt }]
  })
}

function envelopeTrace(lines: readonly Line[], metric: CurveMetric): object {
  const envelope = upperEnvelope(
    lines.map(({ curve }) => curve),
    mostBuckets,
  )
  return {
    type: 'scatter',
    mode: 'lines',
    name: `highest of all ${formatCount(lines.length)}`,
    ...points(envelope, metric),
    line: { width: 1, color: '#8a8f98' },
    fill: 'tozeroy',
    fillcolor: 'rgba(138,143,152,0.12)',
    hoverinfo: 'skip',
  }
}

const points = ({ times, values }: Curve, metric: CurveMetric) => ({
  x: plottedTimes(times),
  y: plottedValues(metric, values),
})
