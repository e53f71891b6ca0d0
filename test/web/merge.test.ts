import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JobBrief } from '../../src/server/schemas/job.ts'
import { withChanges } from '../../web/live/merge.ts'
import { belongsTo, fitIn } from '../../web/pages/jobs/filter.ts'
import { job } from './made-brief.ts'

const ids = (jobs: readonly JobBrief[]): (number | null)[] => jobs.map(({ job_id: id }) => id)

describe('a list with what events told since it was read', () => {
  it('keeps whatever was read, and judges only what events told', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(40)),
        fc.uniqueArray(fc.nat(40)),
        fc.constantFrom('running', 'success', 'failed'),
        (before, after, status) => {
          const newestFirst = (all: readonly number[]): number[] => [...all].sort((a, b) => b - a)
          const read = newestFirst(before).map((id) => job(id))
          const changed = new Map(
            after.map((id) => job(id, { status })).map((each) => [each.task_id, each]),
          )
          const isTold = (id: number): boolean => after.includes(id)
          const all = newestFirst([...new Set([...before, ...after])])
          expect(ids(withChanges(read, changed, () => true))).toEqual(all)
          expect(ids(withChanges(read, changed, () => false))).toEqual(
            newestFirst(before).filter((id) => !isTold(id)),
          )
          const running = withChanges(read, changed, belongsTo({ status: 'running' }))
          expect(ids(running)).toEqual(all.filter((id) => !isTold(id) || status === 'running'))
        },
      ),
    )
  })

  it('keeps what the server found by its command, also when the job ends', () => {
    const read = [job(2), job(1)]
    const ended = job(2, { status: 'success' })
    const search = belongsTo({ search: 'train.py' })
    expect(withChanges(read, new Map(), search)).toEqual(read)
    expect(withChanges(read, new Map([[ended.task_id, ended]]), search)).toEqual([ended, job(1)])
  })

  it('leaves a list as it was where nothing came', () => {
    const read = [job(2), job(1)]
    expect(ids(withChanges(read, new Map(), () => true))).toEqual([2, 1])
  })
})

describe('what belongs to a list', () => {
  it.each([
    [{}, 'in'],
    [{ status: 'running' }, 'in'],
    [{ status: 'failed,timeout' }, 'out'],
    [{ user: 'ann,bob' }, 'in'],
    [{ user: 'ANN' }, 'in'],
    [{ user: 'bob' }, 'out'],
    [{ name: 'job-1' }, 'in'],
    [{ name: 'JOB-1' }, 'in'],
    [{ name: 'job' }, 'out'],
    [{ tool: 'Sh' }, 'in'],
    [{ tag: 'nightly' }, 'in'],
    [{ tag: 'Nightly' }, 'out'],
    [{ tag: 'weekly' }, 'out'],
    [{ search: 'JOB' }, 'in'],
    [{ search: 'night' }, 'in'],
    [{ search: 'an' }, 'in'],
    [{ search: '00000' }, 'in'],
    // It may be in its command.
    [{ search: 'train.py' }, 'in doubt'],
    [{ search: 'train.py', status: 'failed' }, 'out'],
    // It began in 2001.
    [{ since: '1h' }, 'in doubt'],
  ])('%j: %s', (filter, fit) => {
    expect(fitIn(filter)(job(1), false)).toBe(fit)
  })

  it('takes a job that has just begun for one of the last hour', () => {
    const begun = job(1, { start_time: new Date().toISOString() })
    expect(fitIn({ since: '1h' })(begun, false)).toBe('in')
  })
})
