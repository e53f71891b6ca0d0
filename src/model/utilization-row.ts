import type { UsageKey } from './usage.ts'
import type { Requirements } from './job.ts'
import type { AttemptStatus } from './outcome.ts'

/** An attempt against its request. */
export interface UtilizationRow {
  readonly jobId: number
  readonly jobName: string
  readonly runId: number
  readonly attempt: number
  readonly status: AttemptStatus
  readonly exitCode: number | null
  readonly signal: string | null
  readonly reason: string | null
  /** CPUs of the machine it ran on. */
  readonly machineCores: number
  readonly requirements: Requirements
  readonly durationSeconds: number | null
  readonly cpuSeconds: number | null
  readonly cpuPercentPeak: number | null
  readonly cpuPercentP95: number | null
  readonly memoryPeakBytes: number | null
  readonly largestProcessPeakBytes: number | null
  readonly swapPeakBytes: number | null
  /** By the kernel's own count; null where nobody counted them. */
  readonly processesKilledForMemory: number | null
  /** The limit at which they were killed; null where that was not the reason, and of records that do not tell. */
  readonly memoryLimitMetBytes: number | null
  /** Page cache included: the job itself needs no more than this. null where it may have been more than was read. */
  readonly cgroupMemoryPeakBytes: number | null
  /** Time that its own tasks, and any of the machine, waited for a core. */
  readonly cpuPressureSeconds: number | null
  readonly machineCpuPressureSeconds: number | null
  readonly machineCpuPercentMean: number | null
  readonly involuntarySwitches: number | null
  /** Cards on which a process of it was seen; null where that is not known, for the reason below. */
  readonly gpuCardsUsed: number | null
  readonly gpuWhyNot: string
  /** Those of the first four, and of its waits for a core, that were at least so much: not all of it was seen. */
  readonly lowerBounds: readonly BoundedFigure[]
  /** Why each of the same four is not there, where it is not. */
  readonly unmeasured: Readonly<Partial<Record<UtilizationFigure, string>>>
}

export type UtilizationFigure =
  | 'cpuSeconds'
  | 'cpuPercentPeak'
  | 'cpuPercentP95'
  | 'memoryPeakBytes'

export type BoundedFigure = UtilizationFigure | 'cpuPressureSeconds'

/** Where each of them is in a usage. */
export const usageKeyOf = {
  cpuSeconds: 'cpuTotalSeconds',
  cpuPercentPeak: 'cpuPercentPeak',
  cpuPercentP95: 'cpuPercentP95',
  memoryPeakBytes: 'memoryPeakBytes',
} as const satisfies Record<UtilizationFigure, UsageKey>

export const boundedKeyOf = {
  ...usageKeyOf,
  cpuPressureSeconds: 'cpuPressureSeconds',
} as const satisfies Record<BoundedFigure, UsageKey>
