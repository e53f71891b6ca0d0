import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { firstProcessOf } from './find-slurm-job.ts'

const stat = (pid: number, startTicks: number): string =>
  `${pid} (sleep) S 1 ${pid} ${pid} 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 ${startTicks} 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n`

/** `place` is its cgroup; all of them carry the number of the job. */
const process = (pid: number, uid: number, startTicks: number, place = '/') => ({
  [`/proc/${pid}/stat`]: stat(pid, startTicks),
  [`/proc/${pid}/status`]: `Name:\tsleep\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\n`,
  [`/proc/${pid}/comm`]: 'sleep\n',
  [`/proc/${pid}/cgroup`]: `0::${place}\n`,
  [`/proc/${pid}/environ`]: 'PATH=/bin\0SLURM_JOB_ID=77\0',
})

describe('the first process of a Slurm job', () => {
  const system = fakeSystem({ files: { ...process(41, 1001, 5), ...process(42, 1000, 9) } })

  it('is not one of a stranger who has its number in his environment', () => {
    expect(firstProcessOf(system, '77', 1000)).toBe(42)
    expect(firstProcessOf(system, '77', 1002)).toBeUndefined()
    expect(firstProcessOf(system, '78', 1000)).toBeUndefined()
  })

  it('is found by its cgroup alone where its user is not known', () => {
    expect(firstProcessOf(system, '77', undefined)).toBeUndefined()
    const inCgroup = fakeSystem({ files: process(43, 1001, 5, '/slurm/uid_1001/job_77/step_0') })
    expect(firstProcessOf(inCgroup, '77', undefined)).toBe(43)
  })
})
