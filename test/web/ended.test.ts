import { expect, it } from 'vitest'
import type { JobBrief } from '../../src/server/schemas/job.ts'
import { endedLast, gone } from '../../web/live/ended.ts'
import { job } from './made-brief.ts'

const at = (minute: number): string => new Date(1e12 + minute * 60_000).toISOString()
const ended = (id: number, from: number, to: number): JobBrief =>
  job(id, { status: 'success', start_time: at(from), end_time: at(to) })
const told = (...jobs: readonly JobBrief[]): ReadonlyMap<string, JobBrief> =>
  new Map(jobs.map((each) => [each.task_id, each]))
const ids = (jobs: readonly JobBrief[]): (number | null)[] => jobs.map(({ job_id: id }) => id)

it('has a long job first that ended a minute ago, whatever began after it', () => {
  const short = [5, 4, 3].map((id) => ended(id, id, id + 1))
  const long = ended(1, 0, 99)
  expect(ids(endedLast(short, told(long), ['success'], 2))).toEqual([1, 5])
  // Also where it was read by itself, and more than once.
  expect(ids(endedLast([...short, long, long], told(), ['success'], 2))).toEqual([1, 5])
})

it('has only those that ended as asked', () => {
  const failed = { ...ended(2, 1, 3), status: 'failed' } as const
  expect(ids(endedLast([ended(1, 1, 2), failed], told(job(3)), ['failed'], 8))).toEqual([2])
})

it('finds what ran before and does not any more, unless events told of it', () => {
  const before = [job(1), job(2), job(3)]
  expect(ids(gone(before, [job(1)], told(ended(2, 0, 1))))).toEqual([3])
})
