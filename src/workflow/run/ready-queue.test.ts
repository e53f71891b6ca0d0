import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { someNode } from '../../../test/contracts/nodes.ts'
import { Resources } from './capacity.ts'
import { ReadyQueue } from './ready-queue.ts'

const resources = (cpus = 2, maxParallelJobs = Infinity) =>
  new Resources({ nodes: [someNode('node01', { cpus })], maxParallelJobs })
const claim = (cpus: number) => ({ cpus, memoryBytes: 0, gpus: 0 })

describe('the queue of ready jobs', () => {
  it('answers them by rank, whatever order they come in', () => {
    const steps = fc.array(fc.oneof(fc.constant('take' as const), fc.nat(40)), { maxLength: 120 })
    fc.assert(
      fc.property(steps, (made) => {
        const queue = new ReadyQueue(Array.from({ length: 41 }, (_, position) => 40 - position))
        const model: number[] = []
        const taken: (number | undefined)[] = []
        const best: (number | undefined)[] = []
        for (const step of made) {
          if (step === 'take') {
            model.sort((a, b) => b - a)
            taken.push(queue.take(resources()))
            best.push(model.shift())
          } else {
            // Three kinds of claims: the best of all must be found across their heaps.
            queue.add(step, claim(1 + (step % 3) / 2))
            model.push(step)
          }
          expect(queue.size).toBe(model.length)
        }
        expect(taken).toEqual(best)
        expect(queue.clear().toSorted((a, b) => a - b)).toEqual(model.toSorted((a, b) => a - b))
        expect(queue.size).toBe(0)
      }),
    )
  })

  it('lets a smaller job go first, but not for ever', () => {
    const queue = new ReadyQueue(Array.from({ length: 101 }, (_, position) => position))
    queue.add(0, claim(4))
    for (let position = 1; position <= 100; position++) queue.add(position, claim(1))
    const overtook = []
    for (let next = queue.take(resources()); next !== undefined; next = queue.take(resources()))
      overtook.push(next)
    expect(overtook).toEqual(Array.from({ length: 32 }, (_, index) => index + 1))
    expect(queue.take(resources(4, 1))).toBe(0)
    expect(queue.take(resources())).toBe(33)
  })
})
