import type { UsageKey, UsageMetric } from '../../model/node-usage.ts'
import { daySeconds, hourSeconds } from '../../model/time-parts.ts'
import { weekdays } from '../../model/week-time.ts'
import {
  exactShare,
  fixedKeeping,
  formatBytes,
  formatHours,
  formatJoules,
  orDash,
} from '../units/figures.ts'

/** `Mon`, `Tue`. */
export const shortWeekdays = weekdays.map((day) => day.slice(0, 3))
const two = (part: number): string => String(part).padStart(2, '0')
const date = (day: number): string =>
  new Date(day * daySeconds * 1e3).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** `Tue 08`, `2026-03-01`; weeks are named after their Monday. */
export function keyLabel(key: UsageKey, value: string | number): string {
  if (typeof value === 'string') return value === '' ? '(none)' : value
  switch (key) {
    case 'hour':
      return two(value)
    case 'weekday':
      return shortWeekdays[value] ?? String(value)
    case 'hour-of-week':
      return `${shortWeekdays[Math.floor(value / 24)] ?? ''} ${two(value % 24)}`
    case 'day':
      return date(value)
    case 'week':
      return date(value * 7 - 3)
    case 'user':
    case 'host':
    case 'command':
    case 'account':
      return String(value)
  }
}

interface MetricWords {
  readonly header: string
  /** After an amount; nothing where the amount says it itself. */
  readonly unit: string
  /** As JSON and CSV call the amount. */
  readonly name: string
  format(amount: number): string
}

/** Less is noise beside the others: a third of a second of a core. */
const leastHours = 0.0001
const hoursText = (amount: number): string =>
  amount === 0 || Math.abs(amount) >= leastHours
    ? formatHours(amount)
    : amount > 0
      ? `<${leastHours}`
      : `>-${leastHours}`
const hours = (seconds: number): string => hoursText(seconds / hourSeconds)
const gibHours = (byteSeconds: number): string => hoursText(byteSeconds / hourSeconds / 1024 ** 3)

export const metricWords: Readonly<Record<UsageMetric, MetricWords>> = {
  cpu: { header: 'Core-hours', unit: 'core-hours', name: 'core_seconds', format: hours },
  memory: { header: 'GiB-hours', unit: 'GiB-hours', name: 'byte_seconds', format: gibHours },
  gpu: { header: 'GPU-hours', unit: 'GPU-hours', name: 'gpu_seconds', format: hours },
  'gpu-memory': {
    header: 'GPU GiB-hours',
    unit: 'GiB-hours',
    name: 'gpu_byte_seconds',
    format: gibHours,
  },
  io: {
    header: 'Read and written',
    unit: '',
    name: 'bytes',
    format: (bytes) => formatBytes(bytes),
  },
  energy: { header: 'Energy', unit: '', name: 'joules', format: formatJoules },
}

/** How full it was; of what has no capacity, the mean rate of a host. */
export function levelText(metric: UsageMetric, level: number, hasCapacity: boolean): string {
  if (hasCapacity) return exactShare(level)
  return metric === 'energy'
    ? `${fixedKeeping(level, 1)} W`
    : `${metricWords[metric].format(level)}/s`
}

/** Where a colour begins: `5 %`. */
export const edgeText = (metric: UsageMetric, level: number, hasCapacity: boolean): string =>
  levelText(metric, level, hasCapacity).replace(/\.0(?= [%W])/, '')

export const amountText = (metric: UsageMetric, amount: number | null): string =>
  orDash(amount, metricWords[metric].format)
