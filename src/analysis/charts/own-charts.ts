import type { ChartLine, ChartSeries, ChartUnit } from '../../model/job-chart-data.ts'
import { isLowerBound, type Measured } from '../../model/measured.ts'
import type { JobRecord } from '../../model/record.ts'
import type { UsageKey } from '../../model/usage.ts'
import type { FullChart, FullSeries } from './chart-of.ts'
import { rateColumn } from '../../model/counter-rate.ts'
import { cpuPercentColumn, type ColumnOf } from './derived-columns.ts'

/** A chart that every job may have, and the figure of the record that says why it has none. */
export interface OwnChart extends FullChart {
  readonly figure: UsageKey
  /** What is said of it where it would be a line along zero. */
  readonly nothing: string
}

/** The charts of what the job itself used, from the top down. */
export function ownCharts(record: JobRecord, of: ColumnOf): OwnChart[] {
  const { requirements, machine, usage } = record
  const times = of('elapsed_seconds')
  const gauge = (name: string, label: string, unit: ChartUnit, peak?: UsageKey): FullSeries => ({
    name,
    label,
    unit,
    values: of(name),
    ...recordedPeak(peak === undefined ? undefined : usage[peak]),
  })
  const rate = (counter: string, label: string): FullSeries => ({
    name: `${counter}_per_second`,
    label,
    unit: 'bytes_per_second',
    values: rateColumn(times, of(counter)),
  })
  const waited = (what: string, label: string): FullSeries => ({
    name: `${what}_pressure_percent`,
    label,
    unit: 'percent',
    values: rateColumn(times, of(`${what}_pressure_seconds`), 100).map((share) =>
      Math.min(100, share),
    ),
  })
  return [
    {
      id: 'cpu',
      title: 'CPU',
      times,
      series: [
        {
          name: 'cpu_percent',
          label: 'in use',
          unit: 'core_percent',
          values: cpuPercentColumn(of, machine.cores),
          ...recordedPeak(usage.cpuPercentPeak),
        },
      ],
      lines: [
        ...asked(requirements.cpus === null ? null : 100 * requirements.cpus, 'core_percent'),
        ...limit(record, 'containerCpuLimitPercent', 'core_percent'),
      ],
      figure: 'cpuPercentPeak',
      nothing: 'it used next to no CPU time',
    },
    {
      id: 'memory',
      title: 'Memory',
      times,
      series: [gauge('memory_bytes', 'in use', 'bytes', 'memoryPeakBytes')],
      lines: [
        ...asked(requirements.memoryBytes, 'bytes'),
        ...limit(record, 'containerMemoryLimitBytes', 'bytes'),
      ],
      figure: 'memoryPeakBytes',
      nothing: 'it held no memory',
    },
    {
      id: 'io',
      title: 'Storage',
      times,
      series: [rate('read_bytes', 'read'), rate('write_bytes', 'written')],
      figure: 'readBytes',
      nothing: 'nothing was fetched from storage or sent to it',
    },
    {
      id: 'processes',
      title: 'Processes and threads',
      times,
      series: [
        gauge('num_processes', 'processes', 'count', 'processesPeak'),
        gauge('num_threads', 'threads', 'count', 'threadsPeak'),
      ],
      figure: 'processesPeak',
      nothing: 'none was seen',
    },
    {
      id: 'pressure',
      title: 'Waiting (pressure)',
      times,
      series: [waited('cpu', 'for CPU'), waited('memory', 'for memory'), waited('io', 'for I/O')],
      figure: 'cpuPressureSeconds',
      nothing: 'it never waited for CPU, memory or I/O',
    },
  ]
}

const recordedPeak = (
  figure: Measured | undefined,
): Pick<ChartSeries, 'recorded_peak' | 'recorded_peak_is_lower_bound'> =>
  figure === undefined || figure.value === null
    ? {}
    : {
        recorded_peak: figure.value,
        ...(isLowerBound(figure) ? { recorded_peak_is_lower_bound: true } : {}),
      }

const asked = (value: number | null, unit: ChartUnit): ChartLine[] =>
  value === null ? [] : [{ kind: 'request', label: 'requested', unit, value }]

/** The limits of its container; other jobs have none that their record tells of. */
function limit({ usage }: JobRecord, key: string, unit: ChartUnit): ChartLine[] {
  const value = (usage as Readonly<Record<string, Measured | undefined>>)[key]?.value ?? null
  return value === null ? [] : [{ kind: 'limit', label: 'limit', unit, value }]
}
