import type { Requirements } from '../../model/job.ts'
import type { JobLabels, RunningSum } from '../../model/metric-facts.ts'
import { keyOf, type LabelBook } from './label-book.ts'

/** A job that runs now, with what it uses as of its last samples. */
export interface RunningJob extends JobLabels {
  readonly requirements: Pick<Requirements, 'cpus' | 'memoryBytes' | 'gpus'>
  /** null if nobody measures it, or not yet. */
  readonly cpuCores: number | null
  readonly memoryBytes: number | null
}

/** Those with the same labels together. */
export function runningSums(jobs: readonly RunningJob[], book: LabelBook): RunningSum[] {
  const labelled = jobs.map((job) => ({ job, labels: book.labelsOf(job) }))
  return [...Map.groupBy(labelled, ({ labels }) => keyOf(labels)).values()].map((alike) => ({
    ...(alike[0]?.labels ?? { user: '', name: '' }),
    attempts: alike.length,
    cpuCores: knownSum(alike, ({ job }) => job.cpuCores),
    memoryBytes: knownSum(alike, ({ job }) => job.memoryBytes),
    requestedCpus: knownSum(alike, ({ job }) => job.requirements.cpus),
    requestedMemoryBytes: knownSum(alike, ({ job }) => job.requirements.memoryBytes),
    requestedGpus: knownSum(alike, ({ job }) => job.requirements.gpus),
  }))
}

function knownSum<T>(all: readonly T[], pick: (one: T) => number | null): number | null {
  const known = all.map(pick).filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}
