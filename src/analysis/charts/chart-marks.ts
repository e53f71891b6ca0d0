import type { ChartData, ChartMark, ChartPhase } from '../../model/job-chart-data.ts'
import type { Mark } from '../../model/marks/mark.ts'
import { curvePhases } from '../series/curve-phases.ts'
import type { Curve } from '../series/decimate.ts'
import { markedOnPlot } from '../series/marked-plot.ts'
import type { Phase } from '../series/phases.ts'

/** Neighbours may be of one kind: what tells them apart is how many cores they kept busy. */
function seenWords({ kind, cpuCores }: Phase): string {
  if (kind === 'idle') return 'idle'
  if (kind === 'io') return 'I/O'
  if (cpuCores === null) return ''
  const cores = Number(cpuCores.toPrecision(2))
  return `${cores} ${cores === 1 ? 'core' : 'cores'}`
}

/** The phases that the program told of; where it told of none, those that the curves of the whole job show. */
export function chartPhases(
  marks: readonly Mark[],
  charts: readonly ChartData[],
  endSeconds: number,
  isWhole: boolean,
): ChartPhase[] {
  const { phases } = markedOnPlot(marks, { startedAt: 0, endedAt: endSeconds })
  if (phases.length > 0)
    return phases.map(({ startedAt, endedAt, label = '' }) => ({
      from_seconds: startedAt,
      to_seconds: endedAt,
      label,
      origin: 'marked',
    }))
  if (!isWhole) return []
  return seenPhases(charts, endSeconds)
}

export const chartMarks = (marks: readonly Mark[], endSeconds: number): ChartMark[] =>
  markedOnPlot(marks, { startedAt: 0, endedAt: endSeconds }).marks.map(({ at, text }) => ({
    at_seconds: at,
    label: text,
  }))

function seenPhases(charts: readonly ChartData[], endedAt: number): ChartPhase[] {
  const curve = (name: string): Curve & { peak: null; mean: null } => {
    for (const { times, series } of charts) {
      const values = series.find((one) => one.name === name)?.values
      if (values === undefined) continue
      const known = times.flatMap((time, row) => {
        const value = values[row] ?? null
        return value === null ? [] : [[time, value] as const]
      })
      return {
        times: Float64Array.from(known, ([time]) => time),
        values: Float64Array.from(known, ([, value]) => value),
        peak: null,
        mean: null,
      }
    }
    return { times: new Float64Array(), values: new Float64Array(), peak: null, mean: null }
  }
  const phases = curvePhases({
    attempt: 1,
    startedAt: 0,
    endedAt,
    samples: 0,
    metrics: {
      cpuPercent: curve('cpu_percent'),
      memoryBytes: curve('memory_bytes'),
      processes: curve('num_processes'),
      readBytesPerSecond: curve('read_bytes_per_second'),
      writeBytesPerSecond: curve('write_bytes_per_second'),
    },
  })
  return phases.map((phase) => ({
    from_seconds: phase.fromSeconds,
    to_seconds: phase.toSeconds,
    label: seenWords(phase),
    origin: 'seen',
  }))
}
