import type { JobBrief } from '../../src/server/schemas/job.ts'
import { momentSeconds } from '../moment.ts'

/**
 * A list that was read, with what events told since: each job as it is now, and those that are new. Newest first.
 *
 * What was read belongs to the list, whatever the page can tell about it: the server looks at more than lists show.
 * Only what events told is judged here, and `wasRead` says whether the list had the job before.
 */
export function withChanges(
  read: readonly JobBrief[],
  changed: ReadonlyMap<string, JobBrief>,
  belongs: (job: JobBrief, wasRead: boolean) => boolean,
): JobBrief[] {
  const still = read.flatMap((job) => {
    const now = changed.get(job.task_id)
    return now === undefined ? [job] : belongs(now, true) ? [now] : []
  })
  const fresh = unread(read, changed).filter((job) => belongs(job, false))
  if (fresh.length === 0) return still
  return [...fresh, ...still].sort((a, b) => startOf(b) - startOf(a))
}

/** What events told of, and the list did not have when it was read. */
export function unread(
  read: readonly JobBrief[],
  changed: ReadonlyMap<string, JobBrief>,
): JobBrief[] {
  const known = new Set(read.map(({ task_id }) => task_id))
  return [...changed.values()].filter(({ task_id }) => !known.has(task_id))
}

const startOf = ({ start_time: start }: JobBrief): number => momentSeconds(start) ?? Infinity
