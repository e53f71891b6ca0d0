import type { UsageKey } from '../../model/usage.ts'
import { formatSeconds, tableBytes, tablePercent } from '../units/figures.ts'
import { samplesWords } from '../units/samples-words.ts'
import { figureWords, usageFigure } from '../units/usage-figure.ts'
import type { PlotAttempt, PlotJob } from '../../analysis/series/plot-job.ts'

/** A figure of a plot: what is drawn, and what is said of it. */
export interface PlotFigure {
  readonly value: number | null
  /** `at least 0.82 GB`, `84.1%`, `not measured: …`, `0.74 GB (from samples)`. */
  readonly words: string
}

type FigureMetric = 'cpuPercent' | 'memoryBytes'
type FigureKind = 'peak' | 'mean'

const keys = {
  memoryBytes: { peak: 'memoryPeakBytes', mean: 'memoryMeanBytes' },
  cpuPercent: { peak: 'cpuPercentPeak', mean: 'cpuPercentMean' },
} as const satisfies Record<FigureMetric, Record<FigureKind, UsageKey>>

const formats = { memoryBytes: tableBytes, cpuPercent: tablePercent }

/**
 * By the attempt's own record, as everything else tells it: samples may have missed a peak, and know nothing of the time
 * before the first. Only where the file has no record is it what they show, and that is said.
 */
function plotFigure(
  { record, curves }: PlotAttempt,
  metric: FigureMetric,
  kind: FigureKind,
): PlotFigure {
  const key = keys[metric][kind]
  const format = formats[metric]
  if (record !== null)
    return { value: usageFigure(record.usage, key), words: figureWords(record.usage, key, format) }
  const value = curves.metrics[metric][kind]
  return { value, words: value === null ? 'not measured' : `${format(value)} (from samples)` }
}

/** Of its last attempt: what was given up before it says nothing of how the job runs. */
export function jobFigureOf(job: PlotJob, metric: FigureMetric, kind: FigureKind): PlotFigure {
  const last = job.attempts.at(-1)
  return last === undefined
    ? { value: null, words: 'not measured' }
    : plotFigure(last, metric, kind)
}

/** The line shows samples: where they lead to another peak than the record has, that is said. */
function curveWords(
  { record, curves }: PlotAttempt,
  metric: FigureMetric,
  recorded: number | null,
): string {
  const { peak } = curves.metrics[metric]
  if (record === null || recorded === null || peak === null) return ''
  const words = samplesWords(
    { seen: peak, recorded, isMean: metric === 'cpuPercent' },
    formats[metric],
  )
  return words === '' ? '' : ` (${words})`
}

/** Whether the line of an attempt rises higher than its recorded peak, or not as high. */
export const missesPeak = (attempt: PlotAttempt, metric: FigureMetric): boolean =>
  curveWords(attempt, metric, plotFigure(attempt, metric, 'peak').value) !== ''

/** What is said of an attempt above its plot. */
export function attemptFacts(attempt: PlotAttempt): string[] {
  const { record, curves } = attempt
  const seconds = record?.durationSeconds ?? null
  const ran =
    seconds === null
      ? `${formatSeconds(curves.endedAt - curves.startedAt)} watched`
      : `ran ${formatSeconds(seconds)}`
  const figures = (['memoryBytes', 'cpuPercent'] as const).flatMap((metric) =>
    (['peak', 'mean'] as const).flatMap((kind) => {
      const { value, words } = plotFigure(attempt, metric, kind)
      const label = metric === 'cpuPercent' ? 'CPU' : 'memory'
      const seen = kind === 'peak' ? curveWords(attempt, metric, value) : ''
      return value === null ? [] : [`${label} ${kind} ${words}${seen}`]
    }),
  )
  return [ran, ...figures]
}
