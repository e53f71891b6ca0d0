import type { CurveMetric } from '../../analysis/series/job-curves.ts'
import { gigabyte, megabyte } from '../../model/bytes.ts'
import { lineColours } from '../palette.ts'

const { blue, orange, green, teal, violet } = lineColours

/** What every plot leaves free above it, in pixels, so that the toolbar covers nothing. */
export const toolbarPixels = 36

/** Each metric as plots show it. */
export const plotMetrics: Readonly<
  Record<CurveMetric, { title: string; unit: string; colour: string; scale: number }>
> = {
  cpuPercent: { title: 'CPU', unit: '%', colour: blue.light, scale: 1 },
  memoryBytes: { title: 'Memory', unit: 'GB', colour: orange.light, scale: 1 / gigabyte },
  processes: { title: 'Processes', unit: '', colour: green.light, scale: 1 },
  readBytesPerSecond: { title: 'Read', unit: 'MB/s', colour: teal.light, scale: 1 / megabyte },
  writeBytesPerSecond: {
    title: 'Written',
    unit: 'MB/s',
    colour: violet.light,
    scale: 1 / megabyte,
  },
}

/** A value in the plot's unit, to four decimals, or three digits of what is smaller: what is drawn and shown. */
export function plotted(metric: CurveMetric, value: number): number {
  const scaled = value * plotMetrics[metric].scale
  // Not `toFixed`, which takes ten times as long: there are millions of these.
  return Math.abs(scaled) >= 0.1 ? Math.round(scaled * 1e4) / 1e4 : Number(scaled.toPrecision(3))
}

export const plottedValues = (metric: CurveMetric, values: Float64Array): number[] =>
  Array.from(values, (value) => plotted(metric, value))

/** Milliseconds since 1970, which is what Plotly takes for a time. */
export const plottedTimes = (times: Float64Array): number[] =>
  Array.from(times, (seconds) => Math.round(seconds * 1000))

export const hoverFormat = (metric: CurveMetric): string => {
  const { unit } = plotMetrics[metric]
  const digits = { '%': ',.1f', GB: ',.3f', 'MB/s': ',.2f' }[unit] ?? ',d'
  return `%{y:${digits}}${unit === '' ? '' : ` ${unit}`}`
}
