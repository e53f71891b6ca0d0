import type { Requirements } from './job.ts'
import type { BriefFigure } from './measured.ts'
import type { JobRecord } from './record.ts'
import type { UsageKey } from './usage.ts'

/**
 * A record with a few figures of its usage, and without why others are missing: a tenth of the time to read. A
 * whole record is one too.
 */
export interface BriefRecord<Key extends UsageKey> extends Pick<
  JobRecord,
  'taskId' | 'jobId' | 'attempt' | 'name' | 'status' | 'exitCode' | 'durationSeconds'
> {
  readonly requirements: Pick<Requirements, 'cpus'>
  readonly usage: BriefUsage<Key>
}

export type BriefUsage<Key extends UsageKey> = Readonly<Record<Key, BriefFigure>>
