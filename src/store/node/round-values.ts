import type { Amounts, Levels } from '../../model/node-round.ts'
import { addTold } from '../../model/told-sum.ts'
import { cardColumns, type amountColumns, type peakColumns } from './node-schema.ts'

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

const cardNames: readonly string[] = cardColumns

/**
 * What two have together; what neither measured stays unmeasured. If cards that one of them was on did not tell, what the
 * other told is a lower bound, and that it was at least 0 says nothing.
 */
export function addAmounts(into: AmountValues, more: AmountValues): void {
  const isOnCards = { into: into.gpu_memory_kib_ms !== null, more: more.gpu_memory_kib_ms !== null }
  for (const name of Object.keys(more) as (keyof AmountValues)[]) {
    const [old, value] = [into[name], more[name]]
    const isUntold = (old === null && isOnCards.into) || (value === null && isOnCards.more)
    if (cardNames.includes(name) && isUntold) into[name] = addTold(old, value)
    else if (value !== null) into[name] = (old ?? 0) + value
  }
}
