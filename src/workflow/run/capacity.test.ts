import { describe, expect, it } from 'vitest'
import { noRequirements, type Requirements } from '../../model/job.ts'
import { someNode } from '../../../test/contracts/nodes.ts'
import { someWorkflow } from '../../../test/contracts/workflows.ts'
import { claimOf } from '../../model/claim.ts'
import { misfitsOf, Resources, type Capacity } from './capacity.ts'

const node = someNode('node01', { cpus: 4, memoryBytes: 2 ** 30, gpus: ['5', 'GPU-a'] })
const capacity: Capacity = { nodes: [node], maxParallelJobs: 8 }

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
    expect(misfitsOf(asks({}), { ...capacity, nodes: [{ ...node, cpus: 0.5 }] })).toEqual([
      misfit('cpus', 1, 0.5),
    ])
  })
})

describe('a job on several nodes', () => {
  const [job] = someWorkflow(['a']).workflow.jobs
  const asks = { ...noRequirements, cpus: 8, memoryBytes: 2 ** 31, gpus: 1 }
  const jobs = job === undefined ? [] : [{ ...job, requirements: asks }]

  it('has to fit on one, and is told of what the nearest to that lacks', () => {
    const wide = someNode('wide', { cpus: 8, gpus: ['0'] })
    const large = { ...node, memoryBytes: 2 ** 32, gpus: [] }
    expect(misfitsOf(jobs, { ...capacity, nodes: [large, wide] })).toEqual([
      { job: 'a', resource: 'memory_bytes', requested: 2 ** 31, available: 0 },
    ])
    const enough = { ...wide, memoryBytes: 2 ** 31 }
    expect(misfitsOf(jobs, { ...capacity, nodes: [large, enough] })).toEqual([])
  })
})

describe('resources', () => {
  it('hand out GPUs in their order, and take them back', () => {
    const resources = new Resources(capacity)
    const one = { cpus: 1, memoryBytes: 0, gpus: 1 }
    expect(resources.take(one)).toEqual({ node: 0, gpus: ['5'] })
    expect(resources.take(one)).toEqual({ node: 0, gpus: ['GPU-a'] })
    expect(resources.fits(one)).toBe(false)
    resources.giveBack(one, { node: 0, gpus: ['GPU-a'] })
    resources.giveBack(one, { node: 0, gpus: ['5'] })
    expect(resources.take({ ...one, gpus: 2 })).toEqual({ node: 0, gpus: ['5', 'GPU-a'] })
  })

  it('are taken from one node, the fullest that has room', () => {
    const nodes = [someNode('a', { cpus: 4 }), someNode('b', { cpus: 2 }), someNode('c')]
    const resources = new Resources({ nodes, maxParallelJobs: 8 })
    const claim = (cpus: number) => ({ cpus, memoryBytes: 0, gpus: 0 })
    expect(resources.take(claim(1)).node).toBe(2)
    expect(resources.take(claim(1)).node).toBe(1)
    expect(resources.take(claim(4)).node).toBe(0)
    expect(resources.fits(claim(2))).toBe(false)
    expect(resources.fits(claim(1))).toBe(true)
  })

  it('are held by what runs already, wherever that is', () => {
    const resources = new Resources({ nodes: [node], maxParallelJobs: 2 })
    const one = { cpus: 3, memoryBytes: 0, gpus: 1 }
    resources.hold(one, { node: 0, gpus: ['5'] })
    expect(resources.fits(one)).toBe(false)
    resources.hold(one, { node: -1, gpus: [] })
    resources.giveBack(one, { node: 0, gpus: ['5'] })
    expect(resources.take(one)).toEqual({ node: 0, gpus: ['5'] })
    expect(resources.fits({ ...one, cpus: 0 }), 'only two at a time').toBe(false)
  })

  it('do not lose CPUs to rounding', () => {
    const resources = new Resources({ ...capacity, maxParallelJobs: Infinity })
    const tenth = { cpus: 0.1, memoryBytes: 0, gpus: 0 }
    for (let round = 0; round < 1000; round++) {
      let taken = 0
      for (; resources.fits(tenth); taken++) resources.take(tenth)
      expect(taken).toBe(40)
      for (; taken > 0; taken--) resources.giveBack(tenth, { node: 0, gpus: [] })
    }
  })
})
