import type { ChartLine, ChartUnit, JobChartData } from '../../model/job-chart-data.ts'
import type { DeviceCurve, DeviceRound, HostCurve, HostRound } from '../../model/node-curve.ts'
import { hourSeconds, minuteSeconds } from '../../model/time-parts.ts'
import { chartOf, type FullChart, type FullSeries } from './chart-of.ts'
import { TimedRounds } from './timed-rounds.ts'

/** Which host, between which moments in seconds since 1970, and how many points are wanted. */
export interface NodeChartAsked {
  readonly host: string
  readonly from: number
  readonly to: number
  readonly points: number
}

const stepOf = { rounds: null, 'five minutes': 5 * minuteSeconds, hours: hourSeconds } as const

/** More devices than this of a kind would be a page of their own. */
const mostDevices = 16

/** A node over time, in the shape in which jobs are drawn: its time begins with what was asked for. */
export function nodeCharts(curve: HostCurve, asked: NodeChartAsked): JobChartData {
  const { host, from, to, points } = asked
  const range = { fromSeconds: 0, toSeconds: to - from, points }
  const own = new TimedRounds(curve.rounds, from, stepOf[curve.kind])
  const deviceStep = curve.kind === 'hours' ? hourSeconds : 5 * minuteSeconds
  const full = [...ownCharts(curve.rounds, own), ...deviceCharts(curve.devices, from, deviceStep)]
  const charts = full.flatMap((one) => chartOf(one, range) ?? [])
  return {
    task_id: host,
    name: host,
    started_at: from,
    duration_seconds: to - from,
    from_seconds: 0,
    to_seconds: to - from,
    sample_count: curve.rounds.length,
    is_whole: curve.rounds.length <= points,
    charts: charts.filter(({ series }) => series.length > 0),
    absent: [],
    phases: [],
    marks: [],
  }
}

type Of = (round: HostRound) => number | null

function ownCharts(rounds: readonly HostRound[], timed: TimedRounds<HostRound>): FullChart[] {
  const { times } = timed
  const series = (
    name: string,
    label: string,
    unit: ChartUnit,
    of: Of,
    factor = 1,
  ): FullSeries => ({
    name,
    label,
    unit,
    values: timed.column(of).map((value) => factor * value),
  })
  const lines = (of: Of, label: string, unit: ChartUnit, factor = 1): ChartLine[] => {
    const last = rounds.findLast((round) => of(round) !== null)
    const value = last === undefined ? null : of(last)
    return value === null || value <= 0
      ? []
      : [{ kind: 'limit', label, unit, value: factor * value }]
  }
  const cards = rounds.findLast(({ gpus }) => (gpus ?? 0) > 0)
  return [
    chart(
      'cpu',
      'CPU',
      times,
      [
        series('cpu_percent', 'busy', 'core_percent', ({ busyCores }) => busyCores, 100),
        series(
          'io_pressure_cores',
          'waiting for disks',
          'core_percent',
          ({ ioWaitCores }) => ioWaitCores,
          100,
        ),
      ],
      lines(({ cores }) => cores, 'of the node', 'core_percent', 100),
    ),
    chart(
      'load',
      'Load',
      times,
      [series('load', 'runnable', 'number', ({ load }) => load)],
      lines(({ cores }) => cores, 'cores', 'number'),
    ),
    chart(
      'memory',
      'Memory',
      times,
      [
        series('memory_bytes', 'in use', 'bytes', ({ memoryBytes }) => memoryBytes),
        series('swap_bytes', 'swap', 'bytes', ({ swapBytes }) => swapBytes || null),
      ],
      lines(({ memoryTotalBytes }) => memoryTotalBytes, 'of the node', 'bytes'),
    ),
    ...(cards === undefined ? [] : [cardsChart(times, series, cards)]),
    chart('processes', 'Processes', times, [
      series('num_processes', 'processes', 'count', ({ processes }) => processes),
      series('num_threads', 'threads', 'count', ({ threads }) => threads),
    ]),
  ]
}

/** All cards together; each of them has a chart of its own. */
function cardsChart(
  times: Float64Array,
  series: (name: string, label: string, unit: ChartUnit, of: Of, factor?: number) => FullSeries,
  { gpus, gpuMemoryTotalBytes: memory }: HostRound,
): FullChart {
  return chart('gpus', `${gpus} GPUs`, times, [
    series(
      'gpus_utilization_percent',
      'busy',
      'percent',
      ({ busyGpus }) => busyGpus,
      100 / (gpus ?? 1),
    ),
    ...(memory === null
      ? []
      : [
          {
            ...series(
              'gpus_memory_bytes',
              'memory',
              'bytes',
              ({ gpuMemoryBytes }) => gpuMemoryBytes,
            ),
            share_of: memory,
          },
        ]),
  ])
}

const chart = (
  id: string,
  title: string,
  times: Float64Array,
  series: readonly FullSeries[],
  lines: readonly ChartLine[] = [],
): FullChart => ({
  id,
  title,
  times,
  series: series.filter(({ values }) => values.some((value) => !Number.isNaN(value))),
  lines,
})

const titles = { disk: 'Disk', interface: 'Network', gpu: 'GPU' } as const
const flows = {
  disk: ['read', 'written'],
  interface: ['received', 'sent'],
  gpu: ['in', 'out'],
} as const
const order = ['gpu', 'disk', 'interface'] as const

function deviceCharts(
  devices: readonly DeviceCurve[],
  startedAt: number,
  stepSeconds: number,
): FullChart[] {
  return order.flatMap((kind) =>
    devices
      .filter((device) => device.kind === kind && isUsed(device))
      .slice(0, mostDevices)
      .map((device) => deviceChart(device, startedAt, stepSeconds)),
  )
}

/** A machine has a dozen devices that nobody ever used. */
const isUsed = ({ rounds }: DeviceCurve): boolean =>
  rounds.some(
    ({ inBytesPerSecond, outBytesPerSecond, busyShare, memoryBytes }) =>
      (inBytesPerSecond ?? 0) + (outBytesPerSecond ?? 0) + (busyShare ?? 0) + (memoryBytes ?? 0) >
      0,
  )

function deviceChart(
  { kind, name, rounds }: DeviceCurve,
  startedAt: number,
  stepSeconds: number,
): FullChart {
  const timed = new TimedRounds(rounds, startedAt, stepSeconds)
  const [inWord, outWord] = flows[kind]
  const series = (
    column: string,
    label: string,
    unit: ChartUnit,
    of: (round: DeviceRound) => number | null,
    factor = 1,
  ): FullSeries => ({
    name: `${kind}_${name}_${column}`,
    label,
    unit,
    values: timed.column(of).map((value) => factor * value),
  })
  const isCard = kind === 'gpu'
  // What "up to" means here: the highest round, which the page tells elsewhere, may be far above.
  const means = stepSeconds === hourSeconds ? 'means of hours' : 'means of 5 minutes'
  return chart(`${kind}_${name}`, `${titles[kind]} ${name}, ${means}`, timed.times, [
    ...(isCard
      ? [series('utilization', 'busy', 'percent', ({ busyShare }) => busyShare, 100)]
      : [
          series(
            'read_received',
            inWord,
            'bytes_per_second',
            ({ inBytesPerSecond }) => inBytesPerSecond,
          ),
          series(
            'write_sent',
            outWord,
            'bytes_per_second',
            ({ outBytesPerSecond }) => outBytesPerSecond,
          ),
        ]),
    ...(isCard ? [series('memory', 'memory', 'bytes', ({ memoryBytes }) => memoryBytes)] : []),
    ...(kind === 'disk'
      ? [series('io_pressure', 'busy', 'percent', ({ busyShare }) => busyShare, 100)]
      : []),
  ])
}
