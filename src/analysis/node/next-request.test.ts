import { describe, expect, it } from 'vitest'
import type { SeenJob } from '../../model/seen-job.ts'
import { nextRequest } from './next-request.ts'
import { seenRecord } from './seen-record.ts'
import { seenSamples } from './seen-samples.ts'

const gib = 2 ** 30
const rounds = (cores: readonly number[]) =>
  cores.map((busy, at) => ({
    to: 1000 + 60 * (at + 1),
    seconds: 60,
    cpuSeconds: 60 * busy,
    readBytes: 0,
    writeBytes: 0,
    gpuSeconds: null,
    memoryBytes: gib,
    gpuMemoryBytes: null,
    memoryPeakBytes: gib,
    nodeSeconds: 60,
    nodeCpuSeconds: 60 * busy,
    nodeMemoryBytes: 2 * gib,
  }))

const job = (more: Partial<SeenJob> = {}): SeenJob => ({
  rowId: 1,
  host: 'node01',
  epoch: 'x',
  kind: 'slurm',
  id: '7',
  user: 'ada',
  account: null,
  command: 'solver',
  pid: 7,
  startedAt: 1000,
  firstSeen: 1000,
  lastSeen: 1600,
  seenSeconds: 600,
  gpus: null,
  reservation: null,
  cpuSeconds: 2340,
  readBytes: 0,
  writeBytes: 0,
  gpuSeconds: null,
  joules: null,
  memoryMeanBytes: gib,
  memoryPeakBytes: gib,
  gpuMemoryMeanBytes: null,
  gpuMemoryPeakBytes: null,
  cpuPeakCores: 3.9,
  processesPeak: 1,
  threadsPeak: 4,
  zombiesPeak: 0,
  isRunning: false,
  nodeCores: 16,
  nodeMemoryBytes: 64 * gib,
  nodeGpus: 0,
  ...more,
})

const asked = (cpus: number, memoryBytes: number, gpus: number | null) =>
  ({ cpus, memoryBytes, gpus, runtimeSeconds: 660, source: 'slurm' }) as const

const steady = rounds(Array.from({ length: 10 }, () => 3.9))
const verdicts = (seen: SeenJob): string[] =>
  nextRequest(seen, steady).map(({ resource, verdict, ask }) => `${resource} ${verdict} ${ask}`)

describe('nextRequest', () => {
  it('calls right what is right, and says what else to ask for', () => {
    expect(verdicts(job({ reservation: asked(4, 1.2 * gib, null) }))).toEqual([
      'cpus right 4',
      `memory right ${1.2 * gib}`,
      'runtime right 660',
    ])
    expect(verdicts(job({ reservation: asked(16, 16 * gib, 2), gpus: 1, nodeGpus: 2 }))).toEqual([
      'cpus too-much 4',
      `memory too-much ${Math.ceil(1.15 * 1024) * 2 ** 20}`,
      'gpus too-much 1',
      'runtime right 660',
    ])
    expect(verdicts(job({ reservation: asked(2, gib / 2, null) })).slice(0, 2)).toEqual([
      'cpus too-little 4',
      `memory too-little ${Math.ceil(1.15 * 1024) * 2 ** 20}`,
    ])
  })

  it('says nothing of the time of one that runs', () => {
    expect(verdicts(job({ isRunning: true })).map((one) => one.split(' ')[0])).toEqual([
      'cpus',
      'memory',
    ])
  })
})

describe('a job that the agent saw, as a record', () => {
  it('leaves gaps out of its time, and says that it may have used more', () => {
    const [first, ...later] = steady
    if (first === undefined) throw new Error('no round')
    const withGap = [first, ...later.map((round) => ({ ...round, to: round.to + 3600 }))]
    const rows = seenSamples(withGap)
    expect(rows.at(-1)?.[1]).toBe(600)
    const record = seenRecord(job({ lastSeen: 5200 }), withGap)
    expect(record.durationSeconds).toBe(600)
    expect(record.usage.cpuTotalSeconds).toMatchObject({
      basis: expect.stringMatching(/^at least/),
    })
    expect(seenRecord(job(), steady).usage.cpuTotalSeconds).toEqual({
      value: 2340,
      basis: 'sums of the rounds of the agent',
    })
  })
})
