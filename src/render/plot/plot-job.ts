import type { CurveMetric } from '../../analysis/series/job-curves.ts'
import { gigabyte, kilobyte, megabyte } from '../../model/bytes.ts'
import { lineColours } from '../palette.ts'

const { blue, orange, green, teal, violet } = lineColours

/** What every plot leaves free above it, in pixels, so that the toolbar covers nothing. */
export const toolbarPixels = 36

/** Each metric as plots show it. */
export const plotMetrics: Readonly<
  Record<
    CurveMetric,
    { title: string; colour: string; kind: 'percent' | 'count' | 'bytes' | 'rate' }
  >
> = {
  cpuPercent: { title: 'CPU', colour: blue.light, kind: 'percent' },
  memoryBytes: { title: 'Memory', colour: orange.light, kind: 'bytes' },
  processes: { title: 'Processes', colour: green.light, kind: 'count' },
  readBytesPerSecond: { title: 'Read', colour: teal.light, kind: 'rate' },
  writeBytesPerSecond: { title: 'Written', colour: violet.light, kind: 'rate' },
}

/** What an axis is in. */
export interface PlotUnit {
  /** Nothing for what is counted. */
  readonly unit: string
  readonly scale: number
  /** How Plotly writes a figure in it. */
  readonly digits: string
}

const sizes = [
  { unit: 'GB', scale: 1 / gigabyte, digits: ',.3f' },
  { unit: 'MB', scale: 1 / megabyte, digits: ',.2f' },
  { unit: 'KB', scale: 1 / kilobyte, digits: ',.1f' },
] as const satisfies readonly PlotUnit[]

/** The unit for an axis that reaches up to this value: of bytes, the largest that gives at least 1. */
export function plotUnit(metric: CurveMetric, largest: number): PlotUnit {
  const { kind } = plotMetrics[metric]
  if (kind === 'percent') return { unit: '%', scale: 1, digits: ',.1f' }
  if (kind === 'count') return { unit: '', scale: 1, digits: ',d' }
  const [, megabytes, kilobytes] = sizes
  const size =
    largest > 0 ? (sizes.find(({ scale }) => largest * scale >= 1) ?? kilobytes) : megabytes
  return kind === 'bytes' ? size : { ...size, unit: `${size.unit}/s` }
}

/** `Memory (GB)`, `Processes`. */
export const axisTitle = (title: string, { unit }: PlotUnit): string =>
  unit === '' ? title : `${title} (${unit})`

/** A value in the plot's unit, to four decimals, or three digits of what is smaller: what is drawn and shown. */
export function plotted({ scale }: PlotUnit, value: number): number {
  const scaled = value * scale
  // Not `toFixed`, which takes ten times as long: there are millions of these.
  return Math.abs(scaled) >= 0.1 ? Math.round(scaled * 1e4) / 1e4 : Number(scaled.toPrecision(3))
}

export const plottedValues = (unit: PlotUnit, values: Float64Array): number[] =>
  Array.from(values, (value) => plotted(unit, value))

/** Milliseconds since 1970, which is what Plotly takes for a time. */
export const plottedTimes = (times: Float64Array): number[] =>
  Array.from(times, (seconds) => Math.round(seconds * 1000))

export const hoverFormat = ({ unit, digits }: PlotUnit): string =>
  `%{y:${digits}}${unit === '' ? '' : ` ${unit}`}`
