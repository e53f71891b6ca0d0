import type { Requirements } from './job.ts'
import type { BriefFigure } from './measured.ts'
import type { JobRecord } from './record.ts'
import type { UsageKey } from './usage.ts'

/** The figures that lists and comparisons of many records show; a ledger keeps them where they are read fast. */
export const briefKeys = [
  'cpuUserSeconds',
  'cpuSystemSeconds',
  'cpuTotalSeconds',
  'cpuPercentMean',
  'cpuPercentPeak',
  'memoryPeakBytes',
  'memoryMeanBytes',
  'readBytes',
  'writeBytes',
] as const satisfies readonly UsageKey[]

export type BriefKey = (typeof briefKeys)[number]

/**
 * A record with a few figures of its usage, and without how they were obtained but for lower bounds: a tenth of
 * the time to read. A whole record is one too.
 */
export interface BriefRecord<Key extends BriefKey> extends Pick<
  JobRecord,
  'taskId' | 'jobId' | 'attempt' | 'name' | 'status' | 'exitCode' | 'reason' | 'durationSeconds'
> {
  readonly requirements: Pick<Requirements, 'cpus'>
  readonly usage: BriefUsage<Key>
}

export type BriefUsage<Key extends UsageKey> = Readonly<Record<Key, BriefFigure>>
