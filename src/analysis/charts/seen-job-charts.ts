import type { ChartLine, ChartUnit, JobChartData } from '../../model/job-chart-data.ts'
import { fullRefOf } from '../../model/job-ref.ts'
import type { SeenJob } from '../../model/seen-job.ts'
import type { SeenRound, SeenSeries } from '../../model/seen-round.ts'
import { hourSeconds, minuteSeconds } from '../../model/time-parts.ts'
import { nodeCoresOf } from '../node/node-cores.ts'
import { chartOf, type FullChart, type FullSeries } from './chart-of.ts'
import { TimedRounds } from './timed-rounds.ts'

const stepOf = { rounds: null, 'five minutes': 5 * minuteSeconds, hours: hourSeconds } as const

/** A job that the agent saw over time, beside its node: what nobody saw of it is a gap. */
export function seenJobCharts(job: SeenJob, series: SeenSeries, points: number): JobChartData {
  const { rounds } = series
  const startedAt = Math.min(job.startedAt ?? job.firstSeen, job.firstSeen)
  const seconds = Math.max(1, job.lastSeen - startedAt)
  const timed = new TimedRounds(rounds, startedAt, stepOf[series.kind])
  const range = { fromSeconds: 0, toSeconds: Math.max(seconds, timed.times.at(-1) ?? 0), points }
  const charts = chartsOf(job, timed).flatMap((one) => chartOf(one, range) ?? [])
  return {
    task_id: fullRefOf(job),
    name: job.command,
    started_at: startedAt,
    duration_seconds: seconds,
    from_seconds: 0,
    to_seconds: range.toSeconds,
    sample_count: rounds.length,
    is_whole: rounds.length <= points,
    charts,
    absent: [],
    phases: [],
    marks: [],
  }
}

type Of = (round: SeenRound) => number | null

function chartsOf(job: SeenJob, timed: TimedRounds<SeenRound>): FullChart[] {
  const { reservation } = job
  const perSecond =
    (of: Of, factor = 1): Of =>
    (round) => {
      const value = of(round)
      return value === null || !(round.seconds > 0) ? null : (factor * value) / round.seconds
    }
  const line = (name: string, label: string, unit: ChartUnit, of: Of): FullSeries => ({
    name,
    label,
    unit,
    values: timed.column(of),
  })
  const chart = (
    id: string,
    title: string,
    series: readonly FullSeries[],
    lines: readonly ChartLine[] = [],
  ): FullChart => ({
    id,
    title,
    times: timed.times,
    series: series.filter(({ values }) => values.some((value) => !Number.isNaN(value))),
    lines,
  })
  const ofNode = (round: SeenRound): number | null => {
    const cores = nodeCoresOf(round)
    return cores === null ? null : 100 * cores
  }
  const isIo = (job.readBytes ?? 0) + (job.writeBytes ?? 0) > 0
  const isOnCards = (job.gpus ?? 0) > 0 || (reservation?.gpus ?? 0) > 0
  return [
    chart(
      'cpu',
      'CPU',
      [
        line(
          'cpu_percent',
          'of the job',
          'core_percent',
          perSecond(({ cpuSeconds }) => cpuSeconds, 100),
        ),
        line('node_busy', 'of the whole node', 'core_percent', ofNode),
      ],
      asked(reservation?.cpus, 'core_percent', 100),
    ),
    chart(
      'memory',
      'Memory',
      [line('memory_bytes', 'in use', 'bytes', ({ memoryBytes }) => memoryBytes)],
      asked(reservation?.memoryBytes, 'bytes'),
    ),
    ...(isOnCards
      ? [
          chart(
            'gpus',
            'GPUs',
            [
              line(
                'gpus_utilization',
                'busy cards',
                'number',
                perSecond(({ gpuSeconds }) => gpuSeconds),
              ),
            ],
            asked(reservation?.gpus, 'number'),
          ),
        ]
      : []),
    ...(isIo
      ? [
          chart('io', 'I/O', [
            line(
              'read_bytes_per_second',
              'read',
              'bytes_per_second',
              perSecond(({ readBytes }) => readBytes),
            ),
            line(
              'write_bytes_per_second',
              'written',
              'bytes_per_second',
              perSecond(({ writeBytes }) => writeBytes),
            ),
          ]),
        ]
      : []),
  ].filter(({ series }) => series.length > 0)
}

const asked = (value: number | null | undefined, unit: ChartUnit, factor = 1): ChartLine[] =>
  value === null || value === undefined || value <= 0
    ? []
    : [{ kind: 'request', label: 'asked for', unit, value: factor * value }]
