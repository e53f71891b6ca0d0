import type { Usage } from '../../model/usage.ts'
import type { Curve } from './decimate.ts'
import type { AttemptCurves } from './job-curves.ts'
import type { PhaseKind } from './phases.ts'

/** A job as the plots show it. */
export interface PlotJob {
  readonly jobId: number
  readonly name: string
  readonly requestedCpus: number | null
  readonly requestedMemoryBytes: number | null
  readonly requestedRuntimeSeconds: number | null
  readonly attempts: readonly PlotAttempt[]
}

export interface PlotAttempt {
  /** `attempt 2`; the file's name too where several files were read. */
  readonly label: string
  readonly curves: AttemptCurves
  /** Its own figures; null where the file has nothing but samples. */
  readonly record: AttemptFigures | null
  readonly phases: readonly PlotPhase[]
  /** Moments that its program told of: where epochs begin, and messages. */
  readonly marks?: readonly PlotMoment[]
  /** Its cards; empty where it had none. */
  readonly gpus: readonly GpuCurves[]
}

/** A card of an attempt over time. */
export interface GpuCurves {
  readonly index: number
  readonly utilizationPercent: Curve
  readonly memoryBytes: Curve
}

/** What an attempt used, as its record has it. */
export interface AttemptFigures {
  readonly durationSeconds: number | null
  readonly usage: Usage
}

/** A stretch of an attempt in which it behaved alike. */
export interface PlotPhase {
  readonly startedAt: number
  readonly endedAt: number
  readonly kind: PhaseKind
  /** What its program calls it; without it, `kind` is what was seen. */
  readonly label?: string
}

/** A moment that a program told of. */
export interface PlotMoment {
  readonly at: number
  readonly text: string
}
