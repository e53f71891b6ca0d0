import { shortPlotText } from '../plot/plot-text.ts'
import { cellLabel } from '../../model/benchmark.ts'
import type { BenchmarkJson, CellJson } from './json.ts'
import { benchmarkSeconds } from './rows.ts'

const width = 900
const left = 180
const right = 24
const rowHeight = 34
const axisHeight = 26

/** The duration of every run as a dot, in a line for each cell, with the mean and its interval. */
export function runsPicture(benchmark: BenchmarkJson): string {
  const most = Math.max(
    0,
    ...benchmark.cells.map(({ metrics }) => metrics.duration_seconds?.max ?? 0),
  )
  if (!(most > 0)) return '<p class="quiet">No run has succeeded.</p>'
  const x = (seconds: number): string =>
    (left + (Math.min(seconds, 1.05 * most) / (1.05 * most)) * (width - left - right)).toFixed(1)
  const height = benchmark.cells.length * rowHeight + axisHeight
  const rows = benchmark.cells.map((cell, index) =>
    cellRow(cell, timesOf(benchmark, cell), index * rowHeight + rowHeight / 2, x),
  )
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line x1="${x(share * most)}" x2="${x(share * most)}" y1="0" y2="${height - axisHeight}"/>` +
      `<text class="axis" text-anchor="middle" x="${x(share * most)}" y="${height - 8}">${benchmarkSeconds(share * most)}</text>`,
  )
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Duration of each run">
${ticks.join('\n')}
${rows.join('\n')}
</svg>`
}

interface RunTime {
  readonly run: number
  readonly seconds: number
}

const timesOf = ({ runs }: BenchmarkJson, { cell }: CellJson): RunTime[] =>
  runs.flatMap(({ run_number: run, cell: own, status, duration_seconds: seconds }) =>
    cellLabel(own) === cellLabel(cell) && status === 'success' && typeof seconds === 'number'
      ? [{ run, seconds }]
      : [],
  )

function cellRow(
  { cell, metrics }: CellJson,
  times: readonly RunTime[],
  y: number,
  x: (seconds: number) => string,
): string {
  const spread = metrics.duration_seconds
  const apart = new Set(spread?.outliers.map(({ run_number: run }) => run))
  const dots = times.map(
    ({ run, seconds }) =>
      `<circle${apart.has(run) ? ' class="apart"' : ''} cx="${x(seconds)}" cy="${y}" r="4"><title>run ${run}: ${benchmarkSeconds(seconds)}</title></circle>`,
  )
  const label = `<text x="8" y="${y + 4}">${shortPlotText(cellLabel(cell) || 'all runs', 24)}</text>`
  if (spread === null) return label
  const { mean, ci_low: low, ci_high: high } = spread
  const range =
    low === null || high === null
      ? ''
      : `<rect class="range" x="${x(Math.max(0, low))}" y="${y - 10}" width="${(Number(x(high)) - Number(x(Math.max(0, low)))).toFixed(1)}" height="20"/>`
  const middle = `<line class="mean" x1="${x(mean)}" x2="${x(mean)}" y1="${y - 10}" y2="${y + 10}"/>`
  return [label, range, middle, ...dots].join('')
}
