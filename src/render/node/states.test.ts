import { expect, it } from 'vitest'
import type { NodeState } from '../../model/node-state.ts'
import { statesJson, statesText } from './states.ts'

const latest = {
  busyCores: 1,
  load: null,
  memoryBytes: null,
  swapBytes: null,
  ioWaitCores: null,
  processes: 1,
  threads: 1,
  zombies: 0,
}

const state = (cores: number, gpus: number): NodeState => ({
  host: 'node01',
  epoch: 'first boot',
  at: 1_772_409_600,
  seconds: 60,
  cores,
  memoryTotalBytes: null,
  gpus,
  gpuMemoryTotalBytes: null,
  latest,
  peak: null,
  coreShares: [],
  devices: [],
})

it('says "1 core" and "2 GPUs"', () => {
  expect(statesText([state(1, 2)], 'utc')).toContain('node01 (1 core, –, 2 GPUs), last round at')
  expect(statesText([state(8, 1)], 'utc')).toContain('node01 (8 cores, –, 1 GPU), last round at')
})

it('tells no time where no calendar has one', () => {
  expect(statesJson([{ ...state(1, 0), at: 1e12 }])).toMatchObject([{ at: null }])
})
