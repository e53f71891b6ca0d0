import type { GpuCurves, PlotJob } from '../../analysis/series/plot-job.ts'
import { lineColours } from '../palette.ts'
import type { PlotTrace } from './figure.ts'
import {
  axisTitle,
  hoverFormat,
  plottedTimes,
  plottedValues,
  plotUnit,
  type PlotUnit,
} from './plot-job.ts'

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
  { title: 'GPU', name: '', key: 'utilizationPercent' },
  { title: 'GPU memory', name: ' memory', key: 'memoryBytes' },
] as const

const percent: PlotUnit = { unit: '%', scale: 1, digits: ',.0f' }

/** One strip for how busy the job's cards were, and one for their memory; none where it had no card. */
export function gpuPanels(job: PlotJob): GpuPanel[] {
  if (job.attempts.every(({ gpus }) => gpus.length === 0)) return []
  return shown.map(({ title, name, key }) => {
    const unit = key === 'memoryBytes' ? plotUnit(key, mostMemory(job)) : percent
    return {
      title: axisTitle(title, unit),
      share: 1.6,
      lines: job.attempts.flatMap(({ gpus }, attempt) =>
        gpus.map((card): GpuLine => {
          const entry = `GPU ${card.index}${name}`
          const isLast = attempt === job.attempts.length - 1
          return { entry, trace: (axis) => traceOf(card, { entry, key, unit, axis, isLast }) }
        }),
      ),
    }
  })
}

const mostMemory = (job: PlotJob): number =>
  job.attempts
    .flatMap(({ gpus }) => gpus)
    .reduce((most, { memoryBytes }) => memoryBytes.values.reduce((a, b) => Math.max(a, b), most), 0)

interface TraceWords {
  readonly entry: string
  readonly key: 'utilizationPercent' | 'memoryBytes'
  readonly unit: PlotUnit
  readonly axis: string
  readonly isLast: boolean
}

function traceOf(card: GpuCurves, { entry, key, unit, axis, isLast }: TraceWords): PlotTrace {
  const { times, values } = card[key]
  return {
    type: 'scatter',
    mode: times.length < 3 ? 'lines+markers' : 'lines',
    name: entry,
    x: plottedTimes(times),
    y: plottedValues(unit, values),
    yaxis: axis,
    line: {
      color: colours[card.index % colours.length] ?? lineColours.blue.light,
      width: 1.6,
      shape: 'linear',
      dash: isLast ? 'solid' : 'dot',
    },
    hovertemplate: hoverFormat(unit),
  }
}
