import type { ChartUnit } from '../../model/job-chart-data.ts'
import type { DeviceSeries } from '../../model/series.ts'
import { column, deviceCpuPercents } from '../series/device-cpu.ts'
import { cpuSecondsAtEnd } from '../series/thread-cpu.ts'
import type { FullChart, FullSeries } from './chart-of.ts'
import { rateColumn } from '../../model/counter-rate.ts'

/** More cards than this would be a page of their own. */
const mostCards = 16
/** Those that used most CPU time; the others are in the series. */
const mostThreads = 3
const mostContainers = 4

/** A chart for each card, then the network, containers and the busiest threads of a job. */
export function deviceCharts(devices: readonly DeviceSeries[], cores: number): FullChart[] {
  const ofKind = (kind: string): DeviceSeries[] => devices.filter((device) => device.kind === kind)
  return [
    ...ofKind('gpu').toSorted(byCardNumber).slice(0, mostCards).map(cardChart),
    ...ofKind('network').slice(0, 1).map(networkChart),
    ...ofKind('container')
      .slice(0, mostContainers)
      .map((one, index) => containerChart(one, index, cores)),
    ...threadsChart(ofKind('thread'), cores),
  ]
}

const timesOf = (device: DeviceSeries): Float64Array => column(device, 'elapsed_seconds')

const cardNumber = ({ columns, rows }: DeviceSeries): number =>
  rows[0]?.[columns.indexOf('gpu_index')] ?? 0
const byCardNumber = (one: DeviceSeries, other: DeviceSeries): number =>
  cardNumber(one) - cardNumber(other)

function cardChart(card: DeviceSeries): FullChart {
  const number = cardNumber(card)
  const total = column(card, 'memory_total_bytes').findLast((bytes) => bytes > 0)
  const gauge = (name: string, label: string, unit: ChartUnit): FullSeries => ({
    name: `gpu_${number}_${name}`,
    label,
    unit,
    values: column(card, name),
  })
  const memory = gauge('memory_used_bytes', 'memory', 'bytes')
  return {
    id: `gpu_${number}`,
    title: `GPU ${number}`,
    times: timesOf(card),
    series: [
      gauge('utilization_percent', 'busy', 'percent'),
      ...(total === undefined ? [] : [{ ...memory, share_of: total }]),
      gauge('power_watts', 'power', 'watts'),
    ].filter(({ values }) => values.some((value) => !Number.isNaN(value))),
  }
}

const networkChart = (device: DeviceSeries): FullChart => ({
  id: 'network',
  title: 'Network',
  times: timesOf(device),
  series: [['received_bytes', 'received'] as const, ['sent_bytes', 'sent'] as const].map(
    ([name, label]) => ({
      name: `network_${name}_per_second`,
      label,
      unit: 'bytes_per_second',
      values: rateColumn(timesOf(device), column(device, name)),
    }),
  ),
})

function containerChart(device: DeviceSeries, index: number, cores: number): FullChart {
  const times = timesOf(device)
  const total = column(device, 'memory_limit_bytes').findLast((bytes) => bytes > 0)
  return {
    id: `container_${index}`,
    title: `Container ${device.id.slice(0, 12)}`,
    times,
    series: [
      {
        name: `container_${index}_cpu_percent`,
        label: 'CPU',
        unit: 'core_percent',
        values: deviceCpuPercents(device, cores) ?? none,
      },
      {
        name: `container_${index}_memory_bytes`,
        label: 'memory',
        unit: 'bytes',
        values: column(device, 'memory_bytes'),
      },
    ],
    ...(total === undefined
      ? {}
      : {
          lines: [{ kind: 'limit', label: 'memory limit', unit: 'bytes', value: total } as const],
        }),
  }
}

/** The busiest threads in one chart: at each moment at which any of them was looked at. */
function threadsChart(threads: readonly DeviceSeries[], cores: number): FullChart[] {
  const busiest = threads
    .toSorted((one, other) => cpuSecondsAtEnd(other) - cpuSecondsAtEnd(one))
    .map((thread) => ({ thread, percents: deviceCpuPercents(thread, cores) ?? none }))
    // Of one that was looked at once there is nothing to draw.
    .filter(({ percents }) => percents.some((percent) => !Number.isNaN(percent)))
    .slice(0, mostThreads)
  if (busiest.length === 0) return []
  const times = Float64Array.from(
    new Set(busiest.flatMap(({ thread }) => [...timesOf(thread)])),
  ).toSorted()
  return [
    {
      id: 'threads',
      title: 'Busiest threads',
      times,
      series: busiest.map(({ thread, percents }, index) => ({
        name: `thread_${index}_cpu_percent`,
        label: thread.id.slice(thread.id.indexOf(' ') + 1),
        unit: 'core_percent',
        values: spread(times, timesOf(thread), percents),
      })),
    },
  ]
}

/** Values at some of the times, NaN at the others. */
function spread(times: Float64Array, own: Float64Array, values: Float64Array): Float64Array {
  const at = new Map(Array.from(own, (time, row) => [time, values[row] ?? Number.NaN]))
  return times.map((time) => at.get(time) ?? Number.NaN)
}

const none = new Float64Array()
