import type { PastSlurmJob } from '../../model/past-slurm-job.ts'
import { daySeconds } from '../../model/time-parts.ts'
import { BadRecord } from '../bad-record.ts'

/** Longer than hours are kept. */
const longestSeconds = 730 * daySeconds

/** The job, if its times can be true. */
export function saneJob(job: PastSlurmJob, nowSeconds: number): PastSlurmJob {
  const { startedAt, endedAt } = job
  if (startedAt !== null && endedAt !== null) {
    if (endedAt < startedAt) throw new BadRecord('it ends before it begins')
    if (endedAt - startedAt > longestSeconds) throw new BadRecord('it ran for more than two years')
  }
  if (Math.max(startedAt ?? 0, endedAt ?? 0) > nowSeconds + daySeconds)
    throw new BadRecord('its time is in the future')
  return job
}
