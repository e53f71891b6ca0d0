import type { JobBrief } from '../../src/server/schemas/job.ts'
import { withChanges } from './merge.ts'

/** The jobs that ended last, of those that were read and told: the one that ended last is first. */
export function endedLast(
  read: readonly JobBrief[],
  changed: ReadonlyMap<string, JobBrief>,
  statuses: readonly JobBrief['status'][],
  most: number,
): JobBrief[] {
  const once = new Map(read.map((job) => [job.task_id, job]))
  const isWanted = ({ status }: JobBrief): boolean => statuses.includes(status)
  return withChanges([...once.values()].filter(isWanted), changed, isWanted)
    .sort((a, b) => (b.end_time ?? '').localeCompare(a.end_time ?? ''))
    .slice(0, most)
}

/** Which jobs ran when this was last looked at, and do not now. */
export function gone(
  before: readonly JobBrief[],
  running: readonly JobBrief[],
  changed: ReadonlyMap<string, JobBrief>,
): JobBrief[] {
  const still = new Set(running.map(({ task_id: id }) => id))
  return before.filter(({ task_id: id }) => !still.has(id) && !changed.has(id))
}
