import type { EpochSeries, EpochTimeline } from '../../analysis/training/epoch-series.ts'
import { count } from '../../model/count.ts'
import { markLine } from '../palette.ts'
import { formatCount } from '../units/figures.ts'
import type { Figure, PlotNote, PlotShape, PlotTrace } from './figure.ts'
import { lineStyle } from './line-style.ts'
import { toolbarPixels } from './plot-job.ts'
import { axisName, stackedAxes, type Strip } from './stacked-axes.ts'

interface EpochStrip extends Strip {
  /** Matches the names of its metrics, with what they are called in the legend. */
  readonly metrics: readonly (readonly [pattern: RegExp, name: string])[]
  readonly unit: string
}

/** What the CSV files are drawn as, from the top. A `$1` in a name is the number of a GPU. */
const strips: readonly EpochStrip[] = [
  {
    title: 'GPU (%)',
    share: 2,
    unit: '%',
    metrics: [
      [/^gpu_(\d+)_util$/, 'GPU $1'],
      [/^gpu_(\d+)_memory_pct$/, 'GPU $1 memory'],
    ],
  },
  {
    title: 'CPU (%)',
    share: 2,
    unit: '%',
    metrics: [
      [/^cpu_percent$/, 'CPU of the machine'],
      [/^cpu_process_percent$/, 'CPU of the process'],
      [/^io_wait_pct$/, 'I/O wait'],
    ],
  },
  {
    title: 'Memory (MB)',
    share: 2,
    unit: 'MB',
    metrics: [
      [/^memory_process_mb$/, 'memory of the process'],
      [/^memory_available_mb$/, 'memory available'],
    ],
  },
  {
    title: 'I/O (MB/s)',
    share: 1.6,
    unit: 'MB/s',
    metrics: [
      [/^io_read_rate_mbps$/, 'read'],
      [/^io_write_rate_mbps$/, 'written'],
    ],
  },
  {
    title: 'Time (ms)',
    share: 1.6,
    unit: 'ms',
    metrics: [
      [/^batch_time_mean_ms$/, 'batch, mean'],
      [/^batch_time_p95_ms$/, 'batch, 95th percentile'],
      [/^data_time_mean_ms$/, 'data loading, mean'],
      [/^data_time_p95_ms$/, 'data loading, 95th percentile'],
    ],
  },
]

/** More notes than these would cover one another. */
const mostNotes = 20
const notePixels = 18

/** A training over its steps, one epoch after the other. Strips of which nothing was measured are left out. */
export function epochFigure({ epochs }: EpochTimeline): Figure {
  const names = [...new Set(epochs.flatMap(({ figures }) => [...figures.keys()]))]
  const starts = epochStarts(epochs)
  const x = epochs.flatMap(({ steps }, at) => steps.map((step) => (starts[at] ?? 0) + step))
  const words = epochs.flatMap(({ epoch, steps }) =>
    steps.map((step) => `epoch ${epoch}, step ${step}`),
  )
  const drawn = strips
    .map((strip) => ({ strip, lines: linesOf(strip, names, epochs) }))
    .filter(({ lines }) => lines.length > 0)
  let style = 0
  const data = drawn.flatMap(({ strip, lines }, at) =>
    lines.map(({ name, values }): PlotTrace => {
      const { colour, dash } = lineStyle(style)
      // The first line says where it is: titles know nothing but the number below.
      const where = style === 0 ? ' · %{customdata}' : ''
      style += 1
      return {
        type: 'scatter',
        mode: x.length < 3 ? 'lines+markers' : 'lines',
        name,
        x,
        y: values,
        yaxis: axisName(at),
        line: { color: colour, width: 1.6, dash },
        ...(where === '' ? {} : { customdata: words }),
        hovertemplate: `%{y:,.2~f} ${strip.unit}${where}`,
      }
    }),
  )
  const used = drawn.map(({ strip }) => strip)
  return {
    data,
    layout: {
      ...stackedAxes(used, { title: { text: 'Step' } }),
      hovermode: 'x unified',
      hoversubplots: 'axis',
      shapes: starts.slice(1).map(epochLine),
      annotations: epochNotes(epochs, starts),
      margin: { r: 30, t: toolbarPixels + notePixels },
    },
    legend: data.map(({ name }, index) => ({ name, traces: [index] })),
  }
}

/** What stands under the title. */
export function epochNote({ epochs, earlierRows }: EpochTimeline): string {
  const rows = epochs.reduce((sum, { steps }) => sum + steps.length, 0)
  const broken = epochs.reduce((sum, { brokenLines }) => sum + brokenLines, 0)
  return [
    count(epochs.length, 'epoch'),
    `${formatCount(rows)} logged batches`,
    earlierRows === 0 ? '' : `${formatCount(earlierRows)} of earlier runs left out`,
    broken === 0 ? '' : `${count(broken, 'broken line')} left out`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Where each epoch begins on the common axis: one usual step after the last of the one before. */
function epochStarts(epochs: readonly EpochSeries[]): number[] {
  let next = 0
  return epochs.map(({ steps }) => {
    const start = next
    const last = steps.at(-1) ?? 0
    const strides = steps.slice(1).map((step, at) => step - (steps[at] ?? 0))
    next = start + last + Math.max(1, ...strides.slice(0, 1))
    return start
  })
}

function linesOf(
  { metrics }: EpochStrip,
  names: readonly string[],
  epochs: readonly EpochSeries[],
): { readonly name: string; readonly values: (number | null)[] }[] {
  const found = metrics.flatMap(([pattern, words]) =>
    names.filter((name) => pattern.test(name)).map((name) => [name, name.replace(pattern, words)]),
  )
  return found.map(([metric = '', name = '']) => ({
    name,
    values: epochs.flatMap(({ figures, steps }) =>
      steps.map((_, row) => {
        const value = figures.get(metric)?.[row] ?? NaN
        return Number.isFinite(value) ? value : null
      }),
    ),
  }))
}

const epochLine = (at: number): PlotShape => ({
  type: 'line',
  xref: 'x',
  yref: 'paper',
  x0: at,
  x1: at,
  y0: 0,
  y1: 1,
  layer: 'below',
  line: { width: 1, color: markLine, dash: 'dot' },
})

function epochNotes(epochs: readonly EpochSeries[], starts: readonly number[]): PlotNote[] {
  const every = Math.ceil(epochs.length / mostNotes)
  return epochs.flatMap(({ epoch }, at) =>
    at % every === 0
      ? [
          {
            x: starts[at] ?? 0,
            y: 1,
            yshift: 0,
            xref: 'x',
            yref: 'paper',
            xanchor: 'left',
            yanchor: 'bottom',
            text: `epoch ${epoch}`,
            showarrow: false,
            font: { size: 11 },
          },
        ]
      : [],
  )
}
