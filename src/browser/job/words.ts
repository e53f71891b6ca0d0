import type { ChartData, JobChartData } from '../../model/job-chart-data.ts'
import { briefSeconds } from '../../render/units/brief-figures.ts'
import { chartUnits } from '../../render/units/chart-units.ts'
import { notMeasured } from '../../render/units/figures.ts'
import type { ChartState } from './chart-state.ts'

/** A figure of a series in its own unit. */
export const figureWords = (
  unit: ChartData['series'][number]['unit'],
  value: number | null | undefined,
): string => (value === null || value === undefined ? notMeasured : chartUnits[unit].words(value))

/** What stands beside the name of a series while nothing is pointed at: how high it came. */
export function peakWords(state: ChartState, place: number): string {
  const series = state.chart.series[place]
  const unit = series?.unit ?? 'count'
  if (series?.recorded_peak === undefined) return `up to ${figureWords(unit, state.highest(place))}`
  const bound = series.recorded_peak_is_lower_bound === true ? 'at least ' : ''
  return `peak ${bound}${figureWords(unit, series.recorded_peak)}`
}

/** What the samples show where it is not what the record has: they may have missed the peak. */
export function samplesWords(state: ChartState): string {
  const told = state.chart.series.flatMap(({ label, unit, recorded_peak: recorded }, place) => {
    const seen = state.highest(place)
    if (recorded === undefined || seen === null) return []
    if (Math.abs(seen - recorded) <= 0.01 * recorded) return []
    const words = `samples show up to ${figureWords(unit, seen)}`
    return [state.chart.series.length === 1 ? words : `${label}: ${words}`]
  })
  return told.join('; ')
}

/** What a chart is called by those who do not see it. */
export function chartWords(state: ChartState, { from_seconds, to_seconds }: JobChartData): string {
  const { title, series, lines } = state.chart
  const figures = series.map(({ label }, place) => `${label} ${peakWords(state, place)}`)
  const levels = lines.map(({ label, unit, value }) => `${label} ${figureWords(unit, value)}`)
  const span = briefSeconds(to_seconds - from_seconds) || '0s'
  const samples = samplesWords(state)
  const told = [...figures, ...(samples === '' ? [] : [samples]), ...levels]
  return `${title} over ${span}: ${told.join(', ')}`
}
