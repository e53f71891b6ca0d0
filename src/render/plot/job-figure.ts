import type { CurveMetric } from '../../analysis/job-curves.ts'
import { formatSeconds } from '../figures.ts'
import {
  hoverFormat,
  plotMetrics,
  plotted,
  plottedTimes,
  plottedValues,
  type Figure,
  type PlotAttempt,
  type PlotJob,
} from './plot-job.ts'
import { plotText } from './plot-text.ts'

/** A strip of the plot with an axis of its own; all strips share the timeline. */
interface Panel {
  readonly title: string
  readonly metrics: readonly CurveMetric[]
  readonly share: number
}

const panels: readonly Panel[] = [
  { title: 'CPU (%)', metrics: ['cpuPercent'], share: 3 },
  { title: 'Memory (GB)', metrics: ['memoryBytes'], share: 3 },
  { title: 'Processes', metrics: ['processes'], share: 1.6 },
  { title: 'I/O (MB/s)', metrics: ['readBytesPerSecond', 'writeBytesPerSecond'], share: 1.6 },
]

const gap = 0.035

/** Everything about one job on one timeline. */
export function jobFigure(job: PlotJob, timeTitle: string): Figure {
  const shown = panels.filter(({ metrics }) =>
    job.attempts.some(({ curves }) =>
      metrics.some((metric) => curves.metrics[metric].peak !== null),
    ),
  )
  const used = shown.length === 0 ? panels.slice(0, 3) : shown
  return {
    data: used.flatMap((panel, index) => [
      ...job.attempts.flatMap((attempt, position) =>
        panel.metrics.map((metric) => attemptTrace(job, attempt, position, metric, index)),
      ),
      ...requestTrace(job, panel, index),
    ]),
    layout: {
      ...axes(used, timeTitle),
      hovermode: 'x unified',
      hoversubplots: 'axis',
      shapes: [...phaseShapes(job), ...attemptShapes(job)],
      annotations: [...phaseNotes(job), ...attemptNotes(job)],
      legend: { orientation: 'h', y: 1.06, yanchor: 'bottom', x: 0 },
      margin: { l: 70, r: 30, t: 70, b: 50 },
    },
  }
}

const axisName = (index: number): string => (index === 0 ? 'y' : `y${index + 1}`)

function attemptTrace(
  job: PlotJob,
  { label, curves }: PlotAttempt,
  position: number,
  metric: CurveMetric,
  panel: number,
): object {
  const { title, colour } = plotMetrics[metric]
  const { times, values } = curves.metrics[metric]
  const isLast = position === job.attempts.length - 1
  return {
    type: 'scatter',
    mode: times.length < 3 ? 'lines+markers' : 'lines',
    name: job.attempts.length === 1 ? title : `${title}, ${plotText(label)}`,
    x: plottedTimes(times),
    y: plottedValues(metric, values),
    yaxis: axisName(panel),
    // Attempts that were given up are dotted; the one that counts is drawn through.
    line: {
      color: colour,
      width: 1.6,
      shape: metric === 'processes' ? 'hv' : 'linear',
      dash: isLast ? 'solid' : 'dot',
    },
    hovertemplate: hoverFormat(metric),
    ...(metric === 'memoryBytes' && isLast ? { fill: 'tozeroy', fillcolor: `${colour}1f` } : {}),
  }
}

/** A trace, not a shape: in the legend it can be switched off, and what was used fills the panel. */
function requestTrace(job: PlotJob, { metrics }: Panel, panel: number): object[] {
  const request = metrics.includes('cpuPercent')
    ? job.requestedCpus !== null && ([job.requestedCpus * 100, 'cpuPercent'] as const)
    : metrics.includes('memoryBytes') &&
      job.requestedMemoryBytes !== null &&
      ([job.requestedMemoryBytes, 'memoryBytes'] as const)
  const starts = job.attempts.map(({ curves }) => curves.startedAt)
  if (request === false || starts.length === 0) return []
  const [value, metric] = request
  const ends = job.attempts.map(({ curves }) => curves.endedAt)
  const level = plotted(metric, value)
  const { title, unit } = plotMetrics[metric]
  return [
    {
      type: 'scatter',
      mode: 'lines',
      name: `${title} requested: ${level.toFixed(metric === 'cpuPercent' ? 0 : 2)} ${unit}`,
      x: plottedTimes(Float64Array.of(Math.min(...starts), Math.max(...ends))),
      y: [level, level],
      yaxis: axisName(panel),
      line: { color: plotMetrics[metric].colour, width: 1.4, dash: 'dash' },
      hoverinfo: 'skip',
    },
  ]
}

function axes(used: readonly Panel[], timeTitle: string): Record<string, object> {
  const shares = used.reduce((sum, { share }) => sum + share, 0)
  const room = 1 - gap * (used.length - 1)
  let top = 1
  const layout: Record<string, object> = {}
  used.forEach(({ title, share }, index) => {
    const bottom = Math.max(0, top - (share / shares) * room)
    layout[index === 0 ? 'yaxis' : `yaxis${index + 1}`] = {
      title: { text: title, standoff: 8 },
      domain: [bottom, top],
      rangemode: 'tozero',
      hoverformat: ',.3~f',
    }
    top = bottom - gap
  })
  layout['xaxis'] = {
    type: 'date',
    title: { text: timeTitle },
    anchor: axisName(used.length - 1),
    hoverformat: '%Y-%m-%d %H:%M:%S.%3f',
  }
  return layout
}

const acrossAll = { xref: 'x', yref: 'paper', y0: 0, y1: 1, layer: 'below' } as const
const milliseconds = (seconds: number): number => Math.round(seconds * 1000)

function phaseShapes(job: PlotJob): object[] {
  return job.attempts.flatMap(({ phases }) =>
    phases.map(({ startedAt, endedAt }, index) => ({
      type: 'rect',
      ...acrossAll,
      x0: milliseconds(startedAt),
      x1: milliseconds(endedAt),
      line: { width: 0 },
      fillcolor: index % 2 === 0 ? 'rgba(128,128,128,0.10)' : 'rgba(128,128,128,0.02)',
    })),
  )
}

/** Above the uppermost strip, where no line runs through them; attempts above phases. */
function phaseNotes(job: PlotJob): object[] {
  const span = spanOf(job)
  return job.attempts.flatMap(({ phases }) =>
    phases
      .filter(({ startedAt, endedAt }) => endedAt - startedAt > span * narrowShare)
      .filter(({ label }, index, wide) => label !== wide[index - 1]?.label)
      .map(({ startedAt, label }) => note(startedAt, plotText(label), 0)),
  )
}

/** In less of the plot's width no word has room. */
const narrowShare = 0.05

function spanOf(job: PlotJob): number {
  const first = job.attempts[0]?.curves.startedAt ?? 0
  return (job.attempts.at(-1)?.curves.endedAt ?? first) - first
}

/** Where each attempt but the first began, and where the requested runtime was over. */
function attemptShapes(job: PlotJob): object[] {
  return verticals(job).map(({ at, dash }) => ({
    type: 'line',
    ...acrossAll,
    x0: milliseconds(at),
    x1: milliseconds(at),
    line: { color: '#888', width: 1, dash },
  }))
}

const attemptNotes = (job: PlotJob): object[] =>
  verticals(job).map(({ at, text }) => note(at, text, 14))

function verticals(job: PlotJob): { at: number; text: string; dash: string }[] {
  const runtime = job.requestedRuntimeSeconds
  return job.attempts.flatMap(({ label, curves }, index) => [
    ...(index === 0 ? [] : [{ at: curves.startedAt, text: plotText(label), dash: 'dot' }]),
    ...(runtime === null || curves.startedAt + runtime > curves.endedAt
      ? []
      : [
          {
            at: curves.startedAt + runtime,
            text: `requested runtime ${formatSeconds(runtime)}`,
            dash: 'dash',
          },
        ]),
  ])
}

const note = (at: number, text: string, yshift: number): object => ({
  x: milliseconds(at),
  y: 1,
  yshift,
  xref: 'x',
  yref: 'paper',
  xanchor: 'left',
  yanchor: 'bottom',
  text,
  showarrow: false,
  font: { size: 11 },
})
