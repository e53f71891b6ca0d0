import { describe, expect, it } from 'vitest'
import type { Measured } from '../../model/measured.ts'
import { sampleIndex, sampleNames } from '../../model/sample.ts'
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

type Origin = ConstructorParameters<typeof ToldContainer>[4]['origin']

/** What is made of statistics that come so many seconds after one another. */
function toldOf(
  network: string,
  all: readonly ContainerStats[],
  { apartSeconds = 1, origin = 'found' }: { apartSeconds?: number; origin?: Origin } = {},
) {
  const system = fakeSystem()
  const inspected = parseInspected({
    Id: 'a1'.repeat(32),
    State: { Running: true, StartedAt: new Date(system.clock.wallSeconds() * 1000).toISOString() },
    HostConfig: { NetworkMode: network },
  })
  if (inspected === undefined) throw new Error('no container')
  let tell: (stats: ContainerStats) => void = () => {}
  let fallSilent: () => void = () => {}
  const container = new ToldContainer(
    system,
    { columns: sampleNames, memoryBytes: 2 ** 30 },
    {
      stats: (_id, isDue, onStats, onEnd) => {
        fallSilent = onEnd
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
      origin,
      onSamples: () => {},
      onDevices: () => {},
    },
  )
  for (const stats of all) {
    system.advance(apartSeconds)
    tell(stats)
  }
  const usage = container.finish(all.length * apartSeconds)
  return {
    system,
    container,
    fallSilent,
    usage: usage as unknown as Readonly<Record<string, Measured>>,
  }
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

  it('counts from now on what ran before', () => {
    const limited = { ...plain, throttledSeconds: 0.3, throttledPeriods: 4, periods: 5 }
    const later: ContainerStats = {
      cpuSeconds: 2,
      userSeconds: 1.5,
      systemSeconds: 0.5,
      memoryBytes: 900,
      pids: 2,
      throttledSeconds: 0.4,
      throttledPeriods: 5,
      periods: 9,
      netReceivedBytes: 110,
      netSentBytes: 220,
      blockReadBytes: 55,
      blockWriteBytes: 66,
    }
    const { usage, container } = toldOf('bridge', [limited, later], { origin: 'running' })
    const values = Object.fromEntries(Object.entries(usage).map(([key, { value }]) => [key, value]))
    expect(values).toMatchObject({
      cpuUserSeconds: expect.closeTo(1.1),
      cpuSystemSeconds: expect.closeTo(0.4),
      cpuTotalSeconds: 1.5,
      cpuPercentMean: 75,
      memoryPeakBytes: 1000,
      containerPidsPeak: 3,
      containerThrottledSeconds: expect.closeTo(0.1),
      containerThrottledPercent: 25,
      containerNetReceivedBytes: 100,
      containerNetSentBytes: 200,
      containerBlockReadBytes: 50,
      containerBlockWriteBytes: 60,
    })
    expect(container.seen).toMatchObject({ cpuPercent: 150, memoryBytes: 900 })
    const users = container.outline.map((row) => row[sampleIndex.cpu_user_seconds])
    expect(users).toEqual([0, expect.closeTo(1.1)])
  })

  it('does not know what the container does once its daemon stops telling', () => {
    const { container, fallSilent } = toldOf('bridge', [plain, { ...plain, cpuSeconds: 1 }])
    expect(container.seen).toMatchObject({ cpuPercent: 50, memoryBytes: 1000 })
    fallSilent()
    expect(container.seen).toMatchObject({ cpuPercent: NaN, memoryBytes: NaN })
  })

  it('does not take the last word of a frozen daemon for what the container does now', () => {
    const { container, system } = toldOf('bridge', [plain, { ...plain, cpuSeconds: 1 }])
    system.advance(9)
    expect([container.whyUnheard, container.seen.memoryBytes]).toEqual([null, 1000])
    system.advance(3)
    expect(container.whyUnheard).toBe('its daemon has not told what it does for 12 s')
    expect(container.seen).toMatchObject({ cpuPercent: NaN, memoryBytes: NaN })
  })

  it('outlines all of a long run, not its beginning', () => {
    const { container } = toldOf(
      'bridge',
      Array.from({ length: 2000 }, (_, at) => ({
        ...plain,
        memoryBytes: at === 700 ? 5000 : 1000,
      })),
    )
    const { outline } = container
    expect(container.samplesTaken).toBe(2000)
    expect(outline.length).toBeLessThanOrEqual(512)
    expect(outline.at(-1)?.[sampleIndex.elapsed_seconds]).toBe(2000)
    const memory = outline.map((row) => row[sampleIndex.memory_bytes] ?? NaN)
    expect(Math.max(...memory)).toBe(5000)
  })

  it('takes no more than a few rows a second, however many come', () => {
    const { container } = toldOf(
      'bridge',
      Array.from({ length: 1000 }, () => plain),
      { apartSeconds: 0.001 },
    )
    expect(container.samplesTaken).toBeLessThanOrEqual(4)
    expect(container.samplesTaken).toBeGreaterThan(2)
  })
})
