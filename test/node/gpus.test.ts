import { describe, expect, it } from 'vitest'
import { NodeGpus } from '../../src/agent/gpus/node-gpus.ts'
import { NodeSampler } from '../../src/agent/node-sampler.ts'
import type { NodeJob, NodeRound } from '../../src/model/node-round.ts'
import { fakeSystem } from '../../src/system/fake.ts'
import { realSystem } from '../../src/system/real.ts'
import type { System } from '../../src/system/system.ts'
import { standInForEach } from '../nvml/stand-in-for-each.ts'
import { card, processOn, standInMissing } from '../nvml/stand-in.ts'

const gibibyte = 2 ** 30
const system = realSystem({ ownsProcess: false })
const tell = standInForEach()

const sum = (jobs: readonly NodeJob[], name: 'gpuSeconds' | 'joules'): number =>
  jobs.reduce((total, job) => total + (job[name] ?? 0), 0)

async function roundWith(lines: readonly string[], on: System = system): Promise<NodeRound> {
  tell(...lines)
  const gpus = new NodeGpus(on)
  await gpus.open()
  const sampler = new NodeSampler(on, undefined, gpus)
  const round = sampler.round(1)
  sampler.close()
  return round
}

/** A process of a login session that is old and large enough to be a job. */
const aLogin = {
  '/proc/uptime': '100000.00 0\n',
  '/proc/7/stat': `7 (work) S 1 7 7 0 -1 0 9 0 0 0 500 0 0 0 20 0 1 0 100 0 200000 ${'0 '.repeat(28)}\n`,
  '/proc/7/status': 'Uid:\t1000\t1000\t1000\t1000\n',
  '/proc/7/cgroup': '0::/user.slice/user-1000.slice/session-3.scope\n',
}

describe.skipIf(standInMissing)('the cards of a node', () => {
  it('are told by job, and the rest is unattributed', async () => {
    const { node, jobs } = await roundWith([
      card(0, { util: 80, used: 20 * gibibyte }),
      card(1, { util: 50, used: 30 * gibibyte }),
      processOn(0, { pid: process.pid, memory: 18 * gibibyte, sm: 80 }),
    ])
    expect(node).toMatchObject({ gpus: 2, gpuMemoryTotalBytes: 280 * gibibyte })
    const holder = jobs.find(({ gpus }) => gpus !== null)
    expect(holder).toMatchObject({ gpus: 1, gpuMemoryBytes: 18 * gibibyte })
    expect((holder?.gpuSeconds ?? 0) / (node.gpuSeconds ?? 0)).toBeCloseTo(80 / 130, 6)
    const rest = jobs.find(({ kind }) => kind === 'unattributed')
    expect((rest?.gpuSeconds ?? 0) / (node.gpuSeconds ?? 0)).toBeCloseTo(50 / 130, 6)
    expect(sum(jobs, 'gpuSeconds')).toBeCloseTo(node.gpuSeconds ?? NaN, 9)
    expect(sum(jobs, 'joules')).toBeCloseTo(node.joules ?? NaN, 6)
  })

  it('are told one by one', async () => {
    const {
      node,
      devices = [],
      seconds,
    } = await roundWith([
      card(0, { util: 80, used: 20 * gibibyte }),
      card(1, { util: 50, used: 30 * gibibyte }),
    ])
    const cards = devices.filter(({ kind }) => kind === 'gpu')
    expect(cards).toMatchObject([{ memoryBytes: 20 * gibibyte }, { memoryBytes: 30 * gibibyte }])
    expect(new Set(cards.map(({ name }) => name)).size).toBe(2)
    const busy = cards.map(({ busySeconds }) => busySeconds ?? NaN)
    expect((busy[0] ?? 0) / (busy[1] ?? 0)).toBeCloseTo(8 / 5, 6)
    expect((busy[0] ?? 0) + (busy[1] ?? 0)).toBeCloseTo(node.gpuSeconds ?? NaN, 9)
    expect(seconds).toBeGreaterThan(0)
  })

  it('imply a request for them where the configuration says so', async () => {
    const { files } = fakeSystem({ files: aLogin })
    const { jobs } = await roundWith([card(0)], { ...system, files })
    const session = jobs.find(({ kind }) => kind === 'session')
    expect(session?.reservation).toEqual({
      cpus: null,
      memoryBytes: null,
      gpus: 1,
      runtimeSeconds: null,
      source: 'implied',
    })
  })

  it('are not there on a node that has none', async () => {
    const { node, jobs } = await roundWith([])
    expect(node).toMatchObject({ gpus: 0, gpuSeconds: null, joules: null, gpuMemoryBytes: null })
    expect(jobs.filter(({ reservation }) => reservation?.source === 'implied')).toEqual([])
  })
})
