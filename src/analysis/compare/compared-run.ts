import type { BriefRecord } from '../../model/brief-record.ts'
import { isLowerBound } from '../../model/measured.ts'
import { isDurationBound } from '../../model/outcome.ts'

/** What two sets of runs are compared by; less is better for all of them. */
export const comparedMetrics = ['duration', 'cpu', 'memory', 'read', 'write'] as const
export type ComparedMetric = (typeof comparedMetrics)[number]

/** The figures of a usage that this takes. */
export const comparedKeys = [
  'cpuTotalSeconds',
  'memoryPeakBytes',
  'readBytes',
  'writeBytes',
] as const

/** A run with the figures that it is compared by. */
export interface ComparedRun extends BriefRecord<(typeof comparedKeys)[number]> {
  /** The run of a workflow that it was a job of, such as `1/2`; none for a command by itself. */
  readonly workflowRun?: string
}

export const comparedFigure: Readonly<Record<ComparedMetric, (run: ComparedRun) => number | null>> =
  {
    duration: (run) => run.durationSeconds,
    cpu: ({ usage }) => usage.cpuTotalSeconds.value,
    memory: ({ usage }) => usage.memoryPeakBytes.value,
    read: ({ usage }) => usage.readBytes.value,
    write: ({ usage }) => usage.writeBytes.value,
  }

/** Whether the figure of one of these runs may have been higher than is known. */
export function isLeastOf(metric: ComparedMetric, runs: readonly ComparedRun[]): boolean {
  const key = keyOf[metric]
  return runs.some(({ usage, status }) =>
    key === null ? isDurationBound(status) : isLowerBound(usage[key]),
  )
}

const keyOf = {
  duration: null,
  cpu: 'cpuTotalSeconds',
  memory: 'memoryPeakBytes',
  read: 'readBytes',
  write: 'writeBytes',
} as const satisfies Record<ComparedMetric, (typeof comparedKeys)[number] | null>

/** Of the runs in which it was measured. */
export function knownFigures(metric: ComparedMetric, runs: readonly ComparedRun[]): number[] {
  return runs.map(comparedFigure[metric]).filter((value) => value !== null)
}
