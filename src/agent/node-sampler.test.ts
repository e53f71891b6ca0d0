import { expect, it } from 'vitest'
import { fakeSystem } from '../system/fake.ts'
import { NodeGpus } from './gpus/node-gpus.ts'
import { NodeSampler } from './node-sampler.ts'

it('a round is of the moment that its seconds go up to, however long it takes to look at all processes', () => {
  let lookSeconds = 0
  const system = fakeSystem({
    files: {
      '/proc/uptime': '1000.00 0\n',
      '/proc/stat': 'cpu  0 0 0 0 0 0 0 0 0 0\nprocesses 5\n',
      '/proc/7/stat': () => {
        system.stall(lookSeconds)
        return undefined
      },
    },
  })
  const sampler = new NodeSampler(system, undefined, new NodeGpus(system))
  let before = sampler.round(null).at
  for (lookSeconds of [0, 5, 0, 20]) {
    system.advance(60)
    const { at, seconds } = sampler.round(null)
    expect(at - before).toBeCloseTo(seconds, 6)
    before = at
  }
})
