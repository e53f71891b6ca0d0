import { describe, expect, it } from 'vitest'
import { noRequirements } from '../../model/job.ts'
import { claimOf, neverFits, Resources, type Capacity } from './capacity.ts'

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

  it.each([
    [{ cpus: 4.5 }, 'asks for 4.5 CPUs, but the runner may use 4'],
    [{ memoryBytes: 2 ** 31 }, 'asks for 2.0 GB of memory, but the runner may use 1.0 GB'],
    [{ gpus: 3 }, 'asks for 3 GPUs, but the runner may use 2'],
    [{ cpus: 4, memoryBytes: 2 ** 30, gpus: 2 }, undefined],
  ])('never fits, or does: %j', (asked, why) => {
    expect(neverFits(claimOf({ ...noRequirements, ...asked }), capacity)).toBe(why)
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
