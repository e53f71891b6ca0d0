import type { Amounts, Levels } from '../../model/node-round.ts'
import type { amountColumns, peakColumns } from './node-schema.ts'

export type AmountValues = Record<(typeof amountColumns)[number], number | null>
export type PeakValues = Record<(typeof peakColumns)[number], number | null>

const whole = (value: number | null, factor: number): number | null =>
  value === null ? null : Math.round(value * factor)

/** What was used, of the agent or of another tool, which may not tell all of it. */
export type StoredUse = {
  readonly [Name in keyof (Amounts & Levels)]: (Amounts & Levels)[Name] | null
}

/** In the whole numbers that are stored. */
export function amountsOf(use: StoredUse, seconds: number): AmountValues {
  return {
    cpu_us: whole(use.cpuSeconds, 1e6),
    read_bytes: whole(use.readBytes, 1),
    write_bytes: whole(use.writeBytes, 1),
    gpu_us: whole(use.gpuSeconds, 1e6),
    energy_mj: whole(use.joules, 1e3),
    memory_kib_ms: whole(use.memoryBytes, (seconds * 1e3) / 1024),
    gpu_memory_kib_ms: whole(use.gpuMemoryBytes, (seconds * 1e3) / 1024),
    short_processes: use.shortProcesses ?? null,
    short_cpu_us: whole(use.shortCpuSeconds ?? null, 1e6),
  }
}

export function peaksOf(use: StoredUse, seconds: number): PeakValues {
  return {
    cpu_peak_millicores: seconds > 0 ? whole(use.cpuSeconds, 1e3 / seconds) : null,
    memory_peak_kib: whole(use.memoryBytes, 1 / 1024),
    gpu_memory_peak_kib: whole(use.gpuMemoryBytes, 1 / 1024),
    processes_peak: use.processes,
    threads_peak: use.threads,
    zombies_peak: use.zombies,
  }
}

/** What two have together; what neither measured stays unmeasured. */
export function addAmounts(into: AmountValues, more: AmountValues): void {
  for (const name of Object.keys(more) as (keyof AmountValues)[]) {
    const value = more[name]
    if (value !== null) into[name] = (into[name] ?? 0) + value
  }
}
