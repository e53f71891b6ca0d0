import type { SampleColumn, SampleRow } from '../../model/sample.ts'
import { CounterRate } from '../../model/counter-rate.ts'
import { sampleValue } from './sample-value.ts'
import { steadyCpuSeconds } from './steady-cpu.ts'

/**
 * One sample with rates. A rate covers the time since its counter was last read, so the first sample
 * has none, nor has one that comes between two readings. `null` means "not measured", never 0.
 *
 * @see deriveSeries
 */
export interface DerivedPoint {
  readonly timestamp: number | null
  readonly elapsedSeconds: number | null
  /** 100 is one core. */
  readonly cpuPercent: number | null
  readonly memoryBytes: number | null
  readonly readBytesPerSecond: number | null
  readonly writeBytesPerSecond: number | null
  readonly processes: number | null
  readonly threads: number | null
  /** The share of the time in which some of the job waited for a core, for memory or for storage. */
  readonly cpuPressurePercent: number | null
  readonly memoryPressurePercent: number | null
  readonly ioPressurePercent: number | null
  /** 100 is every core of the machine. */
  readonly machineCpuPercent: number | null
  readonly machineMemoryBytes: number | null
  readonly machineDiskReadBytesPerSecond: number | null
  readonly machineDiskWriteBytesPerSecond: number | null
  readonly machineNetReceivedBytesPerSecond: number | null
  readonly machineNetSentBytesPerSecond: number | null
}

/**
 * Derives the rates of stored samples; `cores` is the machine's number of cores.
 *
 * @example
 * ```ts
 * import { deriveSeries, measure, readLedger, type DerivedPoint, type SampleRow } from 'jobmeter'
 *
 * const { taskId, machine } = await measure(['sleep', '0.3'], { intervalSeconds: 0.1 })
 * const ledger = readLedger()
 * const { rows } = await ledger.jobs.series(taskId)
 * const newest: SampleRow | undefined = rows.at(-1)
 * const points: readonly DerivedPoint[] = deriveSeries(rows, machine.cores)
 * for (const { elapsedSeconds, cpuPercent } of points) console.log(elapsedSeconds, cpuPercent)
 * console.log(newest?.length)
 * await ledger.close()
 * ```
 */
export const deriveSeries = (rows: readonly SampleRow[], cores: number): DerivedPoint[] => [
  ...derivedPoints(rows, cores),
]

/** The same one by one, for who passes them on: of a long series, all at once take many times the room of its rows. */
export function* derivedPoints(rows: readonly SampleRow[], cores: number): Generator<DerivedPoint> {
  const cpu = steadyCpuSeconds(rows, cores)
  const rates = new PointRates(cores)
  for (const [index, row] of rows.entries()) yield rates.next(row, cpu[index] ?? Number.NaN)
}

const counters = [
  'cpu_user_seconds',
  'cpu_system_seconds',
  'read_bytes',
  'write_bytes',
  'cpu_pressure_seconds',
  'memory_pressure_seconds',
  'io_pressure_seconds',
  'machine_cpu_seconds',
  'machine_disk_read_bytes',
  'machine_disk_write_bytes',
  'machine_net_received_bytes',
  'machine_net_sent_bytes',
] as const satisfies readonly SampleColumn[]
type Counter = (typeof counters)[number]

/** Derives the points of samples, one after another. */
export class PointRates {
  readonly #cores: number
  #cpu = new CounterRate()
  #counters = byName(() => new CounterRate())

  constructor(cores: number) {
    this.#cores = cores
  }

  /** How many counters were ever read. */
  get countersRead(): number {
    return counters.filter((name) => this.#counters[name].isRead).length
  }

  /** `cpuSeconds`: what `steadyCpuSeconds` answers for this row. */
  next(row: SampleRow, cpuSeconds: number): DerivedPoint {
    const cores = this.#cores
    const elapsed = sampleValue(row, 'elapsed_seconds') ?? Number.NaN
    const rate = (name: Counter): number | null =>
      finite(this.#counters[name].next(elapsed, sampleValue(row, name) ?? Number.NaN))
    // The halves tell whether a counter went back, which the sum of them may hide.
    const halves = [rate('cpu_user_seconds'), rate('cpu_system_seconds')]
    const coresBusy = finite(this.#cpu.next(elapsed, cpuSeconds))
    const machineCoresBusy = rate('machine_cpu_seconds')
    const machineShare = machineCoresBusy === null ? null : finite(machineCoresBusy / cores)
    return {
      timestamp: sampleValue(row, 'timestamp'),
      elapsedSeconds: sampleValue(row, 'elapsed_seconds'),
      cpuPercent: halves.includes(null) ? null : percentAtMost(coresBusy, cores),
      memoryBytes: sampleValue(row, 'memory_bytes'),
      readBytesPerSecond: rate('read_bytes'),
      writeBytesPerSecond: rate('write_bytes'),
      processes: sampleValue(row, 'num_processes'),
      threads: sampleValue(row, 'num_threads'),
      cpuPressurePercent: percentAtMost(rate('cpu_pressure_seconds'), 1),
      memoryPressurePercent: percentAtMost(rate('memory_pressure_seconds'), 1),
      ioPressurePercent: percentAtMost(rate('io_pressure_seconds'), 1),
      machineCpuPercent: percentAtMost(machineShare, 1),
      machineMemoryBytes: sampleValue(row, 'machine_memory_bytes'),
      machineDiskReadBytesPerSecond: rate('machine_disk_read_bytes'),
      machineDiskWriteBytesPerSecond: rate('machine_disk_write_bytes'),
      machineNetReceivedBytesPerSecond: rate('machine_net_received_bytes'),
      machineNetSentBytesPerSecond: rate('machine_net_sent_bytes'),
    }
  }

  /** Goes on from here on its own. */
  copy(): PointRates {
    const copy = new PointRates(this.#cores)
    copy.#cpu = this.#cpu.copy()
    copy.#counters = byName((name) => this.#counters[name].copy())
    return copy
  }
}

const byName = <T>(make: (name: Counter) => T): Readonly<Record<Counter, T>> =>
  Object.fromEntries(counters.map((name) => [name, make(name)])) as Record<Counter, T>

/**
 * Clock ticks of 10 ms make steps of a few milliseconds look busier than the machine can be (one
 * tick in a 5 ms step reads as two cores), so the share is held to what is possible.
 */
function percentAtMost(share: number | null, most: number): number | null {
  if (share === null || !(most > 0)) return null
  return finite(100 * Math.min(share, most))
}

const finite = (value: number): number | null =>
  Number.isFinite(value) && value >= 0 ? value : null
