import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noMarks } from '../processes/seen-process.ts'
import { jobPlace } from './job-place.ts'

const id = 'a'.repeat(64)

describe('the job of a process', () => {
  it.each([
    ['0::/system.slice/slurmstepd.scope/job_42/step_0/user/task_0', 'slurm', '42'],
    ['0::/system.slice/n1_slurmstepd.scope/s0123456789abc/step_0', 'slurm', 's0123456789abc'],
    ['4:memory:/slurm/uid_1000/job_7/step_batch\n0::/', 'slurm', '7'],
    [`0::/system.slice/docker-${id}.scope`, 'container', id],
    [`3:cpu:/docker/${id}\n0::/system.slice/docker.service`, 'container', id],
    ['0::/system.slice/cron.service', 'unit', 'cron.service'],
    ['0::/user.slice/user-1000.slice/user@1000.service/app.slice/a.scope', 'unit', 'a.scope'],
  ])('by cgroups %j is of %s %s', (cgroup, kind, wanted) => {
    expect(jobPlace(cgroup, noMarks)).toMatchObject({ kind, id: wanted })
  })

  it.each(['0::/', '0::/user.slice/user-1000.slice/session-3.scope', ''])(
    'is its session’s in %j',
    (cgroup) => expect(jobPlace(cgroup, noMarks)).toBeUndefined(),
  )

  it('is by its environment where no cgroup is a job’s own', () => {
    const inSession = '0::/user.slice/user-1000.slice/session-3.scope'
    const slurm = { ...noMarks, taskId: 'ab', slurmJobId: '9' }
    expect(jobPlace(inSession, slurm)).toMatchObject({ kind: 'slurm', id: '9' })
    const own = { ...noMarks, taskId: 'ab' }
    expect(jobPlace('0::/system.slice/a.service', own)).toMatchObject({ kind: 'attempt', id: 'ab' })
  })

  it('is never of a unit of no name, whatever the file says', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(jobPlace(`0::/${text}`, noMarks)?.id).not.toBe('')
      }),
    )
  })
})
