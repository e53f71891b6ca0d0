import type { ChartUnit } from '../../model/job-chart-data.ts'
import { briefBytes, briefNumber, briefPercent, briefRate } from './brief-figures.ts'
import { tableCores } from './figures.ts'
import type { TickBase } from './ticks.ts'

/** How the figures of a chart are written, and in which steps its scale is round. */
export interface ChartUnitWords {
  readonly words: (value: number) => string
  /** Beside the axis, where there is less room. */
  readonly tick: (value: number) => string
  readonly base: TickBase
  /** What one mark on the scale counts in the unit: 100 for cores. */
  readonly one: number
}

const rounded = (value: number): number => Number(value.toPrecision(3))

export const chartUnits: Readonly<Record<ChartUnit, ChartUnitWords>> = {
  core_percent: {
    words: (percent) => tableCores(rounded(percent / 100)),
    tick: (percent) => briefNumber(rounded(percent / 100)),
    base: 10,
    one: 100,
  },
  percent: {
    words: (percent) => briefPercent(percent, 1),
    tick: (percent) =>
      percent < 1 && percent > 0 ? `${rounded(percent)}%` : briefPercent(percent),
    base: 10,
    one: 1,
  },
  bytes: { words: briefBytes, tick: briefBytes, base: 1024, one: 1 },
  bytes_per_second: { words: briefRate, tick: briefRate, base: 1024, one: 1 },
  count: {
    words: (value) => briefNumber(Math.round(value)),
    tick: briefNumber,
    base: 10,
    one: 1,
  },
  number: {
    words: (value) => briefNumber(rounded(value)),
    tick: (value) => briefNumber(rounded(value)),
    base: 10,
    one: 1,
  },
  watts: {
    words: (watts) => `${briefNumber(rounded(watts))} W`,
    tick: (watts) => `${briefNumber(watts)} W`,
    base: 10,
    one: 1,
  },
}
