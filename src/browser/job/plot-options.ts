import type uPlot from 'uplot'
import { ticks } from '../../render/units/ticks.ts'
import { chartUnits, type ChartUnitWords } from '../../render/units/chart-units.ts'
import type { ChartData, ChartSeries, ChartUnit } from '../../model/job-chart-data.ts'
import type { ChartState } from './chart-state.ts'
import { inkOf, seriesColour, type Theme } from './colours.ts'
import type { TimeAxis } from './time-axis.ts'

export interface PlotFrame {
  readonly width: number
  readonly height: number
  /** Room to the right of every chart, so that their times are one below the other. */
  readonly right: number
  readonly axis: TimeAxis
  readonly theme: () => Theme
  readonly range: () => readonly [from: number, to: number]
}

const font = '11.5px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'
const leftRoom = 68
/** For a scale to the right. */
export const rightRoom = 62

/** In which unit a series is drawn. */
const drawnUnit = ({ unit, share_of: whole }: ChartSeries): ChartUnit =>
  whole === undefined ? unit : 'percent'

/** The units of a chart, each with a scale: the first to the left, the second to the right. */
export const unitsOf = (series: readonly ChartSeries[]): ChartUnit[] =>
  [...new Set(series.map(drawnUnit))].slice(0, 2)

/** A limit has the colour of the lines that it holds for, where there are others with a scale of their own. */
export function limitColour(
  { series }: Pick<ChartData, 'series'>,
  unit: ChartUnit,
  theme: Theme,
): string {
  const held = series.find((one) => drawnUnit(one) === unit)
  if (held === undefined || unitsOf(series).length < 2) return inkOf(theme).ink
  return seriesColour(held.name, theme)
}

/** What uPlot needs to draw a chart. */
export function plotOptions(
  state: ChartState,
  frame: PlotFrame,
  hooks: uPlot.Hooks.Arrays,
): uPlot.Options {
  const { series } = state.chart
  const units = unitsOf(series)
  const { width, height, right, axis, theme, range } = frame
  const ink = (): ReturnType<typeof inkOf> => inkOf(theme())
  return {
    width,
    height,
    pxAlign: 0,
    padding: [10, units.length > 1 ? 0 : right, 0, 0],
    legend: { show: false },
    select: { show: true, left: 0, top: 0, width: 0, height: 0 },
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false, dist: 6 },
      points: { size: 7 },
    },
    scales: {
      x: { time: false, auto: false, range: () => [...range()] as [number, number] },
      ...Object.fromEntries(
        units.map((unit) => [unit, { auto: true, range: () => scaleOf(state, unit) }] as const),
      ),
    },
    axes: [
      {
        font,
        size: 30,
        gap: 8,
        stroke: () => ink().quiet,
        grid: { stroke: () => ink().grid, width: 1 },
        ticks: { show: false },
        splits: (u, _axis, min, max) => axis.ticks(min, max, Math.max(2, u.width / 130)),
        values: (_u, splits) => splits.map((at) => axis.label(at, stepOf(splits))),
      },
      ...units.map((unit, place): uPlot.Axis => yAxis(unit, chartUnits[unit], place, font, ink)),
    ],
    series: [{}, ...series.map((one) => lineOf(one, series.length, theme))],
    hooks,
  }
}

const stepOf = ([first = 0, second = first + 1]: readonly number[]): number => second - first

function scaleOf(state: ChartState, unit: ChartUnit): [number, number] {
  const { series, id } = state.chart
  const most = state.mostOf(series.filter((one) => drawnUnit(one) === unit))
  if (unit === 'percent' && id.startsWith('gpu')) return [0, 100]
  return [0, most > 0 ? most * 1.08 : chartUnits[unit].one]
}

function yAxis(
  unit: ChartUnit,
  { tick, base, one }: ChartUnitWords,
  place: number,
  axisFont: string,
  ink: () => ReturnType<typeof inkOf>,
): uPlot.Axis {
  return {
    scale: unit,
    side: place === 0 ? 3 : 1,
    font: axisFont,
    size: place === 0 ? leftRoom : rightRoom,
    gap: 6,
    stroke: () => ink().quiet,
    grid: { show: place === 0, stroke: () => ink().grid, width: 1 },
    ticks: { show: false },
    splits: (_u, _axis, _min, max) =>
      ticks(max / one, 3, base)
        .filter((at) => unit !== 'count' || Number.isInteger(at))
        .map((at) => at * one),
    values: (_u, splits) => splits.map(tick),
  }
}

function lineOf(series: ChartSeries, count: number, theme: () => Theme): uPlot.Series {
  const colour = (): string => seriesColour(series.name, theme())
  return {
    scale: drawnUnit(series),
    label: series.label,
    stroke: colour,
    width: 1.5,
    // One area under a line helps the eye, several hide one another.
    ...(count === 1 ? { fill: () => `${colour()}22` } : {}),
    points: { show: (u) => (u.data[0]?.length ?? 0) < 3 },
    spanGaps: false,
  }
}
