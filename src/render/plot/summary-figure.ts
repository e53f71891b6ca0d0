import { formatCount } from '../units/figures.ts'
import { count } from '../../model/count.ts'
import { quietLine } from '../palette.ts'
import type { Figure, PlotAxis, PlotTrace } from './figure.ts'
import { jobFigureOf } from './plot-figures.ts'
import type { PlotJob } from '../../analysis/series/plot-job.ts'
import {
  axisTitle,
  hoverFormat,
  plotMetrics,
  plotted,
  plotUnit,
  toolbarPixels,
  type PlotUnit,
} from './plot-job.ts'
import { plotText, shortJobNames, shortPlotText } from './plot-text.ts'

/** So many bars fit side by side with their names. */
const barsAtFirst = 40

const panels = [
  { metric: 'memoryBytes', axis: 'y', domain: [0.56, 1] },
  { metric: 'cpuPercent', axis: 'y2', domain: [0.04, 0.48] },
] as const
type Panel = (typeof panels)[number]

/** Peak against mean of every job, with what it asked for; the largest first. */
export function summaryFigure(jobs: readonly PlotJob[]): Figure {
  const sorted = jobs.toSorted((a, b) => memoryPeakOf(b) - memoryPeakOf(a))
  const names = sorted.map(({ name }) => shortPlotText(name, 120))
  const [memory, cpu] = [unitOf(jobs, 'memoryBytes'), unitOf(jobs, 'cpuPercent')]
  const data = [
    ...barTraces(sorted, names, panels[0], memory),
    ...barTraces(sorted, names, panels[1], cpu),
  ]
  return {
    data,
    layout: {
      barmode: 'overlay',
      hovermode: 'x unified',
      hoversubplots: 'axis',
      xaxis: {
        tickvals: sorted.map((_, index) => index),
        ticktext: shortJobNames(sorted, 24).map(plotText),
        // Not aslant: Plotly leaves out names that would reach beyond the edge, which are those of the highest bars.
        autotickangles: [0, -90],
        anchor: 'y2',
        unifiedhovertitle: { text: '%{customdata}' },
        ...(sorted.length > barsAtFirst ? { range: [-0.6, barsAtFirst - 0.4] } : {}),
      },
      yaxis: axis(panels[0], memory),
      yaxis2: axis(panels[1], cpu),
      ...(sorted.length > barsAtFirst ? { dragmode: 'pan' } : {}),
      margin: { r: 30, t: toolbarPixels },
    },
    legend: data.map(({ name }, index) => ({ name, traces: [index] })),
  }
}

export function summaryNote(jobs: readonly PlotJob[]): string {
  const bars =
    'Wide bars are peaks, narrow bars are means over time, and marks are requests; each job is shown by its last attempt.'
  const sampled = jobs.filter((job) => job.attempts.at(-1)?.record === null).length
  const order =
    sampled === 0
      ? bars
      : `${bars} For ${count(sampled, 'job')} the file has only samples, which may have missed peaks.`
  return jobs.length > barsAtFirst
    ? `${order} The ${barsAtFirst} jobs with the most memory of ${formatCount(jobs.length)} are in view; drag for the rest.`
    : order
}

function barTraces(
  jobs: readonly PlotJob[],
  names: readonly string[],
  { metric, axis: yaxis }: Panel,
  unit: PlotUnit,
): PlotTrace[] {
  const width = Math.min(0.74, 0.09 * jobs.length)
  const { title, colour } = plotMetrics[metric]
  const x = jobs.map((_, index) => index)
  const show = (value: number | null) => (value === null ? null : plotted(unit, value))
  const hover = { customdata: names, x, yaxis }
  const bars = (kind: 'peak' | 'mean') => {
    const figures = jobs.map((job) => jobFigureOf(job, metric, kind))
    return {
      type: 'bar' as const,
      ...hover,
      name: `${title}, ${kind}`,
      y: figures.map(({ value }) => show(value)),
      text: figures.map(({ words }) => plotText(words)),
      textposition: 'none' as const,
      hovertemplate: '%{text}',
    }
  }
  return [
    {
      ...bars('peak'),
      width,
      marker: { color: `${colour}66` },
    },
    {
      ...bars('mean'),
      width: width * 0.55,
      marker: { color: colour },
    },
    {
      ...hover,
      hovertemplate: hoverFormat(unit),
      type: 'scatter',
      mode: 'markers',
      name: `${title}, requested`,
      y: jobs.map((job) => show(requestOf(job, metric))),
      marker: {
        symbol: 'line-ew',
        size: markSize(jobs.length, width),
        line: { width: 2.5, color: quietLine },
      },
    },
  ]
}

/** About as long as a bar is wide: half its length in pixels of a usual screen. */
const markSize = (jobs: number, width: number): number =>
  Math.round((0.7 * width * 1200) / Math.min(jobs, barsAtFirst) / 1.4) + 4

const memoryPeakOf = (job: PlotJob): number => jobFigureOf(job, 'memoryBytes', 'peak').value ?? -1

function requestOf(job: PlotJob, metric: Panel['metric']): number | null {
  if (metric === 'memoryBytes') return job.requestedMemoryBytes
  return job.requestedCpus === null ? null : job.requestedCpus * 100
}

/** By all that is drawn. */
function unitOf(jobs: readonly PlotJob[], metric: Panel['metric']): PlotUnit {
  const largest = jobs.reduce((most, job) => {
    const peak = jobFigureOf(job, metric, 'peak').value ?? 0
    return Math.max(most, peak, requestOf(job, metric) ?? 0)
  }, 0)
  return plotUnit(metric, largest)
}

const axis = ({ metric, domain }: Panel, unit: PlotUnit): PlotAxis => ({
  title: { text: axisTitle(plotMetrics[metric].title, unit), standoff: 8 },
  domain,
  rangemode: 'tozero',
})
