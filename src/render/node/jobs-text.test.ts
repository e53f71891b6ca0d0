import { describe, expect, it } from 'vitest'
import type { SeenJob } from '../../model/seen-job.ts'
import { seenJobJson } from './jobs-json.ts'
import { jobsText } from './jobs-text.ts'

const rest: SeenJob = {
  rowId: 1,
  host: 'node01',
  epoch: 'x',
  kind: 'unattributed',
  id: '',
  user: 'unattributed',
  account: null,
  command: 'unattributed',
  pid: null,
  startedAt: null,
  firstSeen: 1000,
  lastSeen: 1600,
  seenSeconds: 600,
  gpus: null,
  reservation: null,
  cpuSeconds: 1,
  readBytes: -990_460_928,
  writeBytes: 0,
  gpuSeconds: null,
  joules: null,
  memoryMeanBytes: 0,
  memoryPeakBytes: 0,
  gpuMemoryMeanBytes: null,
  gpuMemoryPeakBytes: null,
  cpuPeakCores: 0.1,
  processesPeak: 0,
  threadsPeak: 0,
  zombiesPeak: 0,
  isRunning: true,
  nodeCores: 16,
  nodeMemoryBytes: 64,
  nodeGpus: 0,
}

describe('what no process had', () => {
  const text = jobsText([rest], { zone: 'utc', width: null, nowSeconds: 1600 })

  it('has sizes in the unit that suits them, also below 0', () => {
    expect(text).toContain(' -944.6 MB\n')
  })

  it('does not run, and is not completed', () => {
    expect(text).not.toContain('running')
    expect(seenJobJson(rest)['state']).toBeNull()
  })
})
