import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEvent } from './event.ts'
import { parseInspected } from './inspected.ts'
import { parseStats } from './stats.ts'

const id = 'a1'.repeat(32)

/** As Docker 20.10 answers, cut to what is read. */
const inspected = {
  Id: id,
  Path: 'sh',
  Args: ['-c', 'sleep 1'],
  Name: '/solver',
  State: {
    Running: true,
    OOMKilled: false,
    Pid: 4711,
    ExitCode: 0,
    StartedAt: '2026-11-15T22:23:16.041140132Z',
    FinishedAt: '0001-01-01T00:00:00Z',
  },
  HostConfig: {
    NetworkMode: 'none',
    Memory: 67108864,
    MemoryReservation: 33554432,
    NanoCpus: 500000000,
    PidsLimit: 50,
  },
  Config: { Image: 'image:1' },
}

const stats = {
  pids_stats: { current: 3 },
  networks: { eth0: { rx_bytes: 10, tx_bytes: 20 }, eth1: { rx_bytes: 1, tx_bytes: 2 } },
  blkio_stats: {
    io_service_bytes_recursive: [
      { op: 'Read', value: 5 },
      { op: 'Write', value: 6 },
      { op: 'read', value: 7 },
      { op: 'Total', value: 99 },
    ],
  },
  cpu_stats: {
    cpu_usage: { total_usage: 2e9, usage_in_kernelmode: 5e8, usage_in_usermode: 15e8 },
    throttling_data: { periods: 4, throttled_periods: 1, throttled_time: 3e8 },
  },
  memory_stats: { usage: 1000, limit: 5000, stats: { total_inactive_file: 300 } },
}

describe('what a daemon answers', () => {
  it('is read from the description of a container', () => {
    expect(parseInspected(inspected)).toEqual({
      id,
      name: 'solver',
      image: 'image:1',
      command: ['sh', '-c', 'sleep 1'],
      pid: 4711,
      isRunning: true,
      startedAt: Date.parse('2026-11-15T22:23:16.041Z') / 1000,
      finishedAt: null,
      isOomKilled: false,
      exitCode: null,
      limits: {
        cpus: 0.5,
        memoryBytes: 67108864,
        memoryReservationBytes: 33554432,
        pids: 50,
        odd: [],
      },
      hasNetwork: false,
      sharesNetwork: false,
    })
  })

  it('takes a quota for a limit, and 0 or less for none', () => {
    const limits = (host: object) => parseInspected({ ...inspected, HostConfig: host })?.limits
    expect(limits({ CpuQuota: 150_000, CpuPeriod: 50_000 })?.cpus).toBe(3)
    expect(limits({ CpuQuota: 50_000, CpuPeriod: 0 })?.cpus).toBe(0.5)
    const none = {
      cpus: null,
      memoryBytes: null,
      memoryReservationBytes: null,
      pids: null,
      odd: [],
    }
    expect(limits({ CpuQuota: -1, Memory: 0, PidsLimit: -1 })).toEqual(none)
    expect(limits({ PidsLimit: null })).toEqual(none)
  })

  it('takes no limit or process id that the kernel cannot have', () => {
    const limits = (host: object) => parseInspected({ ...inspected, HostConfig: host })?.limits
    for (const cpus of [
      { NanoCpus: 1e300 },
      { NanoCpus: 'NaN' },
      { CpuQuota: 1e6, CpuPeriod: 1 },
      { CpuQuota: 1e6, CpuPeriod: '1' },
    ])
      expect(limits(cpus)).toMatchObject({ cpus: null, odd: ['cpus'] })
    for (const bytes of [2 ** 53, 1e300, '64m', {}, true])
      expect(limits({ Memory: bytes, MemoryReservation: bytes })).toMatchObject({
        memoryBytes: null,
        odd: ['memoryBytes', 'memoryReservationBytes'],
      })
    expect(limits({ PidsLimit: 2 ** 22 + 1 })).toMatchObject({ pids: null, odd: ['pids'] })
    for (const Pid of [2 ** 22 + 1, -1, 1.5, '7', 1e300])
      expect(parseInspected({ ...inspected, State: { Running: true, Pid } })?.pid).toBeNull()
  })

  it('refuses an id that is none, which would become part of a path', () => {
    for (const bad of ['../../etc', `${id}/..`, id.toUpperCase(), '', 7, undefined])
      expect(parseInspected({ ...inspected, Id: bad })).toBeUndefined()
  })

  it('is read from statistics', () => {
    expect(parseStats(stats)).toEqual({
      cpuSeconds: 2,
      userSeconds: 1.5,
      systemSeconds: 0.5,
      memoryBytes: 700,
      pids: 3,
      throttledSeconds: 0.3,
      throttledPeriods: 1,
      periods: 4,
      netReceivedBytes: 11,
      netSentBytes: 22,
      blockReadBytes: 12,
      blockWriteBytes: 6,
    })
  })

  it('does not take what is left out for 0', () => {
    const { pids_stats: pids, networks, ...rest } = stats
    expect([pids.current, Object.keys(networks).length]).toEqual([3, 2])
    const told = parseStats(rest)
    expect([told?.pids, told?.netReceivedBytes, told?.netSentBytes]).toEqual([NaN, NaN, NaN])
  })

  it('knows the zeros of a container that has ended', () => {
    const ended = { cpu_stats: { cpu_usage: { total_usage: 0 } }, memory_stats: {} }
    expect(parseStats(ended)).toBeUndefined()
  })

  it('is read from events', () => {
    const event = {
      Type: 'container',
      Action: 'die',
      Actor: { ID: id, Attributes: { exitCode: '137', name: 'solver' } },
      timeNano: 1_763_245_396_500_000_000,
    }
    expect(parseEvent(JSON.stringify(event))).toEqual({
      id,
      name: 'solver',
      action: 'die',
      exitCode: 137,
      atSeconds: 1_763_245_396.5,
      attributes: { exitCode: '137', name: 'solver' },
    })
    expect(parseEvent(JSON.stringify({ ...event, Type: 'network' }))).toBeUndefined()
    expect(parseEvent('{')).toBeUndefined()
  })

  it('takes nothing for an exit code that no process can end with', () => {
    for (const code of ['256', '99999999999999999', '9'.repeat(400), '-1', '1.5']) {
      const Attributes = { exitCode: code }
      const event = { Type: 'container', Action: 'die', Actor: { ID: id, Attributes } }
      expect(parseEvent(JSON.stringify(event))?.exitCode, code).toBeNull()
      const State = { Running: false, ExitCode: Number(code) }
      expect(parseInspected({ ...inspected, State })?.exitCode, code).toBeNull()
    }
    const over = { Running: false, ExitCode: 255 }
    expect(parseInspected({ ...inspected, State: over })?.exitCode).toBe(255)
  })

  it('never throws and never gives a number below 0, whatever was answered', () => {
    const anything = fc.jsonValue({ maxDepth: 4 })
    const mixed = (known: object) =>
      fc.record(
        Object.fromEntries(
          Object.entries(known).map(([key, value]) => [
            key,
            fc.oneof(fc.constant(value), anything),
          ]),
        ),
        { requiredKeys: [] },
      )
    fc.assert(
      fc.property(fc.oneof(anything, mixed(stats)), (answer) => {
        for (const value of Object.values(parseStats(answer) ?? {}))
          expect(Number.isNaN(value) || value >= 0).toBe(true)
      }),
    )
    fc.assert(
      fc.property(fc.oneof(anything, mixed(inspected)), (answer) => {
        const { limits, pid = 1 } = parseInspected(answer) ?? {}
        const { odd = [], ...each } = limits ?? {}
        for (const value of [...Object.values(each), pid])
          expect(value === null || (value > 0 && value <= Number.MAX_SAFE_INTEGER)).toBe(true)
        for (const name of odd) expect(limits?.[name]).toBeNull()
      }),
    )
    fc.assert(fc.property(fc.string(), (line) => void parseEvent(line)))
  })
})
