import { describe, expect, it } from 'vitest'
import { noRequirements, type Requirements } from '../../model/job.ts'
import { someWorkflow } from '../../../test/contracts/workflows.ts'
import { claimOf, misfitsOf, Resources, type Capacity } from './capacity.ts'

const capacity: Capacity = {
  cpus: 4,
  memoryBytes: 2 ** 30,
  gpus: ['5', 'GPU-a'],
  maxParallelJobs: 8,
}

describe('what a job takes', () => {
  it('is one CPU and nothing else where it did not say', () => {
    expect(claimOf(noRequirements)).toEqual({ cpus: 1, memoryBytes: 0, gpus: 0 })
  })

  it('never fits, each request by itself, or does', () => {
    const [some] = someWorkflow(['a']).workflow.jobs
    const asks = (asked: Partial<Requirements>) =>
      some === undefined ? [] : [{ ...some, requirements: { ...noRequirements, ...asked } }]
    const misfit = (resource: string, requested: number, available: number) => ({
      job: 'a',
      resource,
      requested,
      available,
    })
    expect(misfitsOf(asks({ cpus: 4.5, gpus: 3 }), capacity)).toEqual([
      misfit('cpus', 4.5, 4),
      misfit('gpus', 3, 2),
    ])
    expect(misfitsOf(asks({ memoryBytes: 2 ** 31 }), capacity)).toEqual([
      misfit('memory_bytes', 2 ** 31, 2 ** 30),
    ])
    expect(misfitsOf(asks({ cpus: 4, memoryBytes: 2 ** 30, gpus: 2 }), capacity)).toEqual([])
    expect(misfitsOf(asks({}), { ...capacity, cpus: 0.5 })).toEqual([misfit('cpus', 1, 0.5)])
  })
})

describe('resources', () => {
  it('hand out GPUs in their order, and take them back', () => {
    const resources = new Resources(capacity)
    const one = { cpus: 1, memoryBytes: 0, gpus: 1 }
    expect(resources.take(one)).toEqual(['5'])
    expect(resources.take(one)).toEqual(['GPU-a'])
    expect(resources.fits(one)).toBe(false)
    resources.giveBack(one, ['GPU-a'])
    resources.giveBack(one, ['5'])
    expect(resources.take({ ...one, gpus: 2 })).toEqual(['5', 'GPU-a'])
  })

  it('do not lose CPUs to rounding', () => {
    const resources = new Resources({ ...capacity, maxParallelJobs: Infinity })
    const tenth = { cpus: 0.1, memoryBytes: 0, gpus: 0 }
    for (let round = 0; round < 1000; round++) {
      let taken = 0
      for (; resources.fits(tenth); taken++) resources.take(tenth)
      expect(taken).toBe(40)
      for (; taken > 0; taken--) resources.giveBack(tenth, [])
    }
  })
})
