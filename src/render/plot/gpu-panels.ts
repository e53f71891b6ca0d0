import type { GpuCurves, PlotJob } from '../../analysis/series/plot-job.ts'
import { gigabyte } from '../../model/bytes.ts'
import { lineColours } from '../palette.ts'
import type { PlotTrace } from './figure.ts'
import { plottedTimes } from './plot-job.ts'

/** A strip of the plot for what cards did. */
export interface GpuPanel {
  readonly title: string
  readonly share: number
  readonly lines: readonly GpuLine[]
}

interface GpuLine {
  readonly entry: string
  readonly trace: (axis: string) => PlotTrace
}

const colours = Object.values(lineColours).map(({ light }) => light)

const shown = [
  { title: 'GPU (%)', name: '', key: 'utilizationPercent', scale: 1, hover: '%{y:,.0f} %' },
  {
    title: 'GPU memory (GB)',
    name: ' memory',
    key: 'memoryBytes',
    scale: 1 / gigabyte,
    hover: '%{y:,.3f} GB',
  },
] as const

/** One strip for how busy the job's cards were, and one for their memory; none where it had no card. */
export function gpuPanels(job: PlotJob): GpuPanel[] {
  if (job.attempts.every(({ gpus }) => gpus.length === 0)) return []
  return shown.map(({ title, name, key, scale, hover }) => ({
    title,
    share: 1.6,
    lines: job.attempts.flatMap(({ gpus }, attempt) =>
      gpus.map((card): GpuLine => {
        const entry = `GPU ${card.index}${name}`
        const isLast = attempt === job.attempts.length - 1
        return { entry, trace: (axis) => traceOf(card, { entry, key, scale, hover, axis, isLast }) }
      }),
    ),
  }))
}

interface TraceWords {
  readonly entry: string
  readonly key: 'utilizationPercent' | 'memoryBytes'
  readonly scale: number
  readonly hover: string
  readonly axis: string
  readonly isLast: boolean
}

function traceOf(
  card: GpuCurves,
  { entry, key, scale, hover, axis, isLast }: TraceWords,
): PlotTrace {
  const { times, values } = card[key]
  return {
    type: 'scatter',
    mode: times.length < 3 ? 'lines+markers' : 'lines',
    name: entry,
    x: plottedTimes(times),
    y: Array.from(values, (value) => Math.round(value * scale * 1e4) / 1e4),
    yaxis: axis,
    line: {
      color: colours[card.index % colours.length] ?? lineColours.blue.light,
      width: 1.6,
      shape: 'linear',
      dash: isLast ? 'solid' : 'dot',
    },
    hovertemplate: hover,
  }
}
