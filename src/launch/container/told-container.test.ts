import { describe, expect, it } from 'vitest'
import type { Measured } from '../../model/measured.ts'
import { sampleNames } from '../../model/sample.ts'
import { parseInspected } from '../../sensors/container/inspected.ts'
import type { ContainerStats } from '../../sensors/container/stats.ts'
import { fakeSystem } from '../../system/fake.ts'
import { ToldContainer } from './told-container.ts'

const plain: ContainerStats = {
  cpuSeconds: 0.5,
  userSeconds: 0.4,
  systemSeconds: 0.1,
  memoryBytes: 1000,
  pids: 3,
  throttledSeconds: 0,
  throttledPeriods: 0,
  periods: 0,
  netReceivedBytes: 10,
  netSentBytes: 20,
  blockReadBytes: 5,
  blockWriteBytes: 6,
}

/** What is made of statistics that come so many seconds after one another. */
function toldOf(network: string, all: readonly ContainerStats[], apartSeconds = 1) {
  const system = fakeSystem()
  const inspected = parseInspected({
    Id: 'a1'.repeat(32),
    State: { Running: true, StartedAt: new Date(system.clock.wallSeconds() * 1000).toISOString() },
    HostConfig: { NetworkMode: network },
  })
  if (inspected === undefined) throw new Error('no container')
  let tell: (stats: ContainerStats) => void = () => {}
  const container = new ToldContainer(
    system,
    { columns: sampleNames, memoryBytes: 2 ** 30 },
    {
      stats: (_id, isDue, onStats) => {
        tell = (stats) => {
          if (isDue()) onStats(stats)
        }
        return { close: () => {}, unref: () => {} }
      },
    },
    inspected,
    {
      intervalSeconds: 1,
      startedAt: system.clock.monotonicSeconds(),
      recordedStart: system.clock.wallSeconds(),
      origin: 'found',
      onSamples: () => {},
      onDevices: () => {},
    },
  )
  for (const stats of all) {
    system.advance(apartSeconds)
    tell(stats)
  }
  const usage = container.finish(all.length * apartSeconds)
  return { container, usage: usage as unknown as Readonly<Record<string, Measured>> }
}

describe('ToldContainer', () => {
  it.each(Object.keys(plain))('passes over statistics with %s of 1e300', (key) => {
    const { usage, container } = toldOf('bridge', [plain, { ...plain, [key]: 1e300 }])
    expect(container.samplesTaken).toBe(1)
    expect(usage['cpuTotalSeconds']?.value).toBe(0.5)
    expect(usage['memoryPeakBytes']?.value).toBe(1000)
    expect(usage['containerNetSentBytes']?.value).toBe(20)
  })

  it('makes no 0 of what the daemon does not tell', () => {
    const silent = { ...plain, pids: NaN, netReceivedBytes: NaN, netSentBytes: NaN }
    const missing = { value: null, why: 'the daemon does not tell' }
    const { usage } = toldOf('bridge', [silent])
    expect(usage['containerPidsPeak']).toEqual(missing)
    expect(usage['containerNetSentBytes']).toEqual(missing)
    const shared = toldOf('host', [silent]).usage['containerNetReceivedBytes']
    expect(shared).toMatchObject({ value: null, why: expect.stringContaining('of the machine') })
    expect(toldOf('none', [silent]).usage['containerNetSentBytes']?.value).toBe(0)
  })

  it('takes no more than a few rows a second, however many come', () => {
    const { container } = toldOf(
      'bridge',
      Array.from({ length: 1000 }, () => plain),
      0.001,
    )
    expect(container.samplesTaken).toBeLessThanOrEqual(4)
    expect(container.samplesTaken).toBeGreaterThan(2)
  })
})
