import type { CurveMetric } from '../../analysis/series/job-curves.ts'
import { formatPercent, tableBytes } from '../units/figures.ts'
import type { Figure, PlotTrace } from './figure.ts'
import { gpuPanels } from './gpu-panels.ts'
import { jobMarks, notesPixels } from './job-marks.ts'
import type { PlotAttempt, PlotJob } from '../../analysis/series/plot-job.ts'
import {
  axisTitle,
  hoverFormat,
  plotMetrics,
  plotted,
  plottedTimes,
  plottedValues,
  plotUnit,
  toolbarPixels,
  type PlotUnit,
} from './plot-job.ts'
import { shortName, shortPlotText } from './plot-text.ts'
import { axisName, stackedAxes, type Strip } from './stacked-axes.ts'

interface Panel extends Strip {
  readonly metrics: readonly [CurveMetric, ...CurveMetric[]]
}

const panels: readonly Panel[] = [
  { title: 'CPU', metrics: ['cpuPercent'], share: 3 },
  { title: 'Memory', metrics: ['memoryBytes'], share: 3 },
  { title: 'Processes', metrics: ['processes'], share: 1.6 },
  { title: 'I/O', metrics: ['readBytesPerSecond', 'writeBytesPerSecond'], share: 1.6 },
]

/** A panel as a job fills it. */
interface JobPanel extends Panel {
  readonly unit: PlotUnit
}

/** Everything about one job on one timeline. */
export function jobFigure(job: PlotJob, timeTitle: string): Figure {
  const shown = panels.filter(({ metrics }) =>
    job.attempts.some(({ curves }) =>
      metrics.some((metric) => curves.metrics[metric].peak !== null),
    ),
  )
  const used = (shown.length === 0 ? panels.slice(0, 3) : shown).map((panel) => inUnit(job, panel))
  const drawn = used.flatMap((panel, index) => [
    ...job.attempts.flatMap((attempt, position) =>
      panel.metrics.map((metric) => ({
        entry: legendName(job, metric, position),
        trace: attemptTrace(job, attempt, position, metric, panel.unit, index),
      })),
    ),
    ...requestTrace(job, panel, index),
  ])
  const cards = gpuPanels(job)
  cards.forEach(({ lines }, index) => {
    for (const { entry, trace } of lines)
      drawn.push({ entry, trace: trace(axisName(used.length + index)) })
  })
  const entries = Map.groupBy(drawn.keys(), (index) => drawn[index]?.entry ?? '')
  return {
    data: drawn.map(({ trace }) => trace),
    layout: {
      ...stackedAxes([...used, ...cards], {
        type: 'date',
        title: { text: timeTitle },
        hoverformat: '%Y-%m-%d %H:%M:%S.%3f',
      }),
      hovermode: 'x unified',
      hoversubplots: 'axis',
      ...jobMarks(job),
      margin: { r: 30, t: toolbarPixels + notesPixels },
    },
    legend: [...entries].map(([name, traces]) => ({ name, traces })),
  }
}

/** Lines of one panel share its axis, and so does what was requested. */
function inUnit(job: PlotJob, panel: Panel): JobPanel {
  const { metrics, title } = panel
  const peaks = job.attempts.flatMap(({ curves }) =>
    metrics.map((metric) => curves.metrics[metric].peak ?? 0),
  )
  const unit = plotUnit(metrics[0], Math.max(0, requestOf(job, panel)?.value ?? 0, ...peaks))
  return { ...panel, title: axisTitle(title, unit), unit }
}

/** So many attempts have entries of their own in the legend. */
const mostEntries = 3

function legendName(job: PlotJob, metric: CurveMetric, position: number): string {
  const { title } = plotMetrics[metric]
  const earlier = job.attempts.length - 1
  if (earlier === 0) return title
  if (earlier < mostEntries)
    return `${title}, ${shortName(job.attempts[position]?.label ?? '', 30)}`
  return position === earlier ? `${title}, last attempt` : `${title}, ${earlier} earlier attempts`
}

function attemptTrace(
  job: PlotJob,
  { label, curves }: PlotAttempt,
  position: number,
  metric: CurveMetric,
  unit: PlotUnit,
  panel: number,
): PlotTrace {
  const { title, colour } = plotMetrics[metric]
  const { times, values } = curves.metrics[metric]
  const isLast = position === job.attempts.length - 1
  return {
    type: 'scatter',
    mode: times.length < 3 ? 'lines+markers' : 'lines',
    name: job.attempts.length === 1 ? title : `${title}, ${shortPlotText(label, 40)}`,
    x: plottedTimes(times),
    y: plottedValues(unit, values),
    yaxis: axisName(panel),
    // Attempts that were given up are dotted; the one that counts is drawn through.
    line: {
      color: colour,
      width: 1.6,
      shape: metric === 'processes' ? 'hv' : 'linear',
      dash: isLast ? 'solid' : 'dot',
    },
    hovertemplate: hoverFormat(unit),
    ...(metric === 'memoryBytes' && isLast ? { fill: 'tozeroy', fillcolor: `${colour}1f` } : {}),
  }
}

/** A trace, not a shape: in the legend it can be switched off, and what was used fills the panel. */
function requestTrace(
  job: PlotJob,
  jobPanel: JobPanel,
  panel: number,
): { entry: string; trace: PlotTrace }[] {
  const request = requestOf(job, jobPanel)
  const starts = job.attempts.map(({ curves }) => curves.startedAt)
  if (request === undefined || starts.length === 0) return []
  const { value, metric } = request
  const ends = job.attempts.map(({ curves }) => curves.endedAt)
  const level = plotted(jobPanel.unit, value)
  const { title } = plotMetrics[metric]
  const words = metric === 'cpuPercent' ? formatPercent(level) : tableBytes(value)
  const name = `${title} requested: ${words}`
  return [
    {
      entry: name,
      trace: {
        type: 'scatter',
        mode: 'lines',
        name,
        x: plottedTimes(Float64Array.of(Math.min(...starts), Math.max(...ends))),
        y: [level, level],
        yaxis: axisName(panel),
        line: { color: plotMetrics[metric].colour, width: 1.4, dash: 'dash' },
        hoverinfo: 'skip',
      },
    },
  ]
}

function requestOf(
  { requestedCpus, requestedMemoryBytes }: PlotJob,
  { metrics }: Panel,
): { metric: 'cpuPercent' | 'memoryBytes'; value: number } | undefined {
  if (metrics.includes('cpuPercent') && requestedCpus !== null)
    return { metric: 'cpuPercent', value: requestedCpus * 100 }
  if (metrics.includes('memoryBytes') && requestedMemoryBytes !== null)
    return { metric: 'memoryBytes', value: requestedMemoryBytes }
  return undefined
}
