import type { ChartData, ChartSeries, JobChartData } from '../../model/job-chart-data.ts'
import { briefSeconds } from '../../render/units/brief-figures.ts'
import { chartUnits } from '../../render/units/chart-units.ts'
import { notMeasured } from '../../render/units/figures.ts'
import { isOtherPeak, samplesWords } from '../../render/units/samples-words.ts'
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
  return series?.recorded_peak === undefined
    ? `up to ${figureWords(unit, state.highest(place))}`
    : recordedPeakWords(series)
}

function recordedPeakWords(series: ChartSeries): string {
  const bound = series.recorded_peak_is_lower_bound === true ? 'at least ' : ''
  return `peak ${bound}${figureWords(series.unit, series.recorded_peak)}`
}

/** The highest of the samples, and the recorded peak where that is another. */
export function highestWords(series: ChartSeries): string {
  const { unit, figures, recorded_peak: recorded } = series
  const words = figureWords(unit, figures.highest)
  if (recorded === undefined || figures.highest === null) return words
  return isOtherPeak(figures.highest, recorded)
    ? `${words} (recorded ${recordedPeakWords(series)})`
    : words
}

/** What the samples of a chart show where it is not what the record has. */
export function chartSamplesWords(state: ChartState): string {
  const told = state.chart.series.flatMap(({ label, unit, recorded_peak: recorded }, place) => {
    const seen = state.highest(place)
    if (recorded === undefined || seen === null) return []
    const words = samplesWords({ seen, recorded, isMean: unit === 'core_percent' }, (value) =>
      figureWords(unit, value),
    )
    if (words === '') return []
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
  const samples = chartSamplesWords(state)
  const told = [...figures, ...(samples === '' ? [] : [samples]), ...levels]
  return `${title} over ${span}: ${told.join(', ')}`
}
