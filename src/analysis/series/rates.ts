import type { SampleColumn, SampleRow } from '../../model/sample.ts'
import { sampleValue } from './sample-value.ts'
import { steadyCpuSeconds } from './steady-cpu.ts'

/**
 * One sample with rates. A rate covers the time since the previous sample, so the first sample has
 * none. `null` means "not measured", never 0.
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
  /** 100 is every core of the machine. */
  readonly machineCpuPercent: number | null
  readonly machineMemoryBytes: number | null
  readonly machineDiskReadBytesPerSecond: number | null
  readonly machineDiskWriteBytesPerSecond: number | null
  readonly machineNetReceivedBytesPerSecond: number | null
  readonly machineNetSentBytesPerSecond: number | null
}

/** Derives the rates of stored samples; `cores` is the machine's number of cores. */
export function deriveSeries(rows: readonly SampleRow[], cores: number): DerivedPoint[] {
  const cpu = steadyCpuSeconds(rows, cores)
  return rows.map((row, index) => {
    const cpuIncrease = (cpu[index] ?? Number.NaN) - (cpu[index - 1] ?? Number.NaN)
    return derivePoint(rows[index - 1], row, cores, cpuIncrease)
  })
}

function derivePoint(
  before: SampleRow | undefined,
  row: SampleRow,
  cores: number,
  cpuIncrease: number,
): DerivedPoint {
  const rate = (column: SampleColumn) => perSecond(before, row, difference(before, row, column))
  // The halves tell whether a counter went back, which the sum of them may hide.
  const isKnown = rate('cpu_user_seconds') !== null && rate('cpu_system_seconds') !== null
  const coresBusy = isKnown ? perSecond(before, row, cpuIncrease) : null
  const machineCoresBusy = rate('machine_cpu_seconds')
  const machineShare = machineCoresBusy === null ? null : finite(machineCoresBusy / cores)
  return {
    timestamp: sampleValue(row, 'timestamp'),
    elapsedSeconds: sampleValue(row, 'elapsed_seconds'),
    cpuPercent: percentAtMost(coresBusy, cores),
    memoryBytes: sampleValue(row, 'memory_bytes'),
    readBytesPerSecond: rate('read_bytes'),
    writeBytesPerSecond: rate('write_bytes'),
    processes: sampleValue(row, 'num_processes'),
    threads: sampleValue(row, 'num_threads'),
    machineCpuPercent: percentAtMost(machineShare, 1),
    machineMemoryBytes: sampleValue(row, 'machine_memory_bytes'),
    machineDiskReadBytesPerSecond: rate('machine_disk_read_bytes'),
    machineDiskWriteBytesPerSecond: rate('machine_disk_write_bytes'),
    machineNetReceivedBytesPerSecond: rate('machine_net_received_bytes'),
    machineNetSentBytesPerSecond: rate('machine_net_sent_bytes'),
  }
}

/** A counter that went back was reset, and a clock that did not move gives no rate: both are null. */
function perSecond(
  before: SampleRow | undefined,
  row: SampleRow,
  increase: number | null,
): number | null {
  const stepSeconds = difference(before, row, 'elapsed_seconds')
  if (stepSeconds === null || stepSeconds === 0 || increase === null) return null
  return finite(increase / stepSeconds)
}

function difference(
  before: SampleRow | undefined,
  row: SampleRow,
  column: SampleColumn,
): number | null {
  if (before === undefined) return null
  const from = sampleValue(before, column)
  const to = sampleValue(row, column)
  return from === null || to === null || to < from ? null : to - from
}

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
