import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cgroupFixture, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { fakeSystem } from '../../system/fake.ts'
import type { FakeContent } from '../../system/fake-files.ts'
import { CgroupSensor, CgroupUsage } from './cgroup-sensor.ts'

const pressure = procfsFixture('pressure-5.10-cpu')
const v2Files: Record<string, FakeContent> = {
  '/job/cpu.stat': cgroupFixture('cpu-stat-5.10-limited'),
  '/job/memory.current': '1000\n',
  '/job/memory.peak': '2000\n',
  '/job/memory.swap.current': '30\n',
  '/job/memory.stat': 'anon 700\nfile 100\nshmem 40\n',
  '/job/memory.events': cgroupFixture('memory-events-5.10'),
  '/job/io.stat': cgroupFixture('io-stat-5.10'),
  '/job/cpu.pressure': pressure,
  '/job/memory.pressure': pressure,
  '/job/io.pressure': pressure,
  '/job/cgroup.procs': '7\n8\n',
}
const v1Files: Record<string, FakeContent> = {
  '/acct/cpuacct.usage': '5000000000\n',
  '/acct/cpuacct.usage_user': '3000000000\n',
  '/acct/cpuacct.usage_sys': '2000000000\n',
  '/acct/cpuacct.stat': 'user 310\nsystem 190\n',
  '/mem/memory.usage_in_bytes': '1000\n',
  '/mem/memory.max_usage_in_bytes': '2000\n',
  '/mem/memory.stat': cgroupFixture('memory-stat-6.18-v1'),
  '/mem/memory.oom_control': cgroupFixture('memory-oom-control-6.18'),
  '/mem/memory.failcnt': '3\n',
  '/blk/blkio.throttle.io_service_bytes_recursive': cgroupFixture('blkio-service-bytes-4.18'),
  '/blk/blkio.throttle.io_serviced_recursive': '8:0 Read 3\n8:0 Write 4\nTotal 7\n',
  '/mem/cgroup.procs': '9\n',
}
const v1 = new Map([
  ['cpuacct', '/acct'],
  ['memory', '/mem'],
  ['blkio', '/blk'],
])
const none: ReadonlyMap<string, string> = new Map()

function usageOf(sensor: CgroupSensor): CgroupUsage {
  const usage = new CgroupUsage()
  sensor.read(usage)
  return usage
}

describe('CgroupSensor', () => {
  it('reads all of a v2 cgroup', () => {
    const sensor = new CgroupSensor(fakeSystem({ files: v2Files }), { v2: '/job', v1: none })
    expect(sensor.basis).toEqual({
      cpu: 'cgroup v2 cpu.stat',
      memory: 'cgroup v2 memory.peak',
      io: 'cgroup v2 io.stat',
      pressure: 'cgroup v2 cpu.pressure, memory.pressure, io.pressure',
    })
    expect(usageOf(sensor)).toEqual({
      usageSeconds: 12.5,
      userSeconds: 10,
      systemSeconds: 2.5,
      memoryBytes: 1000,
      memoryPeakBytes: 2000,
      anonymousBytes: 700,
      sharedBytes: 40,
      fileBytes: 60,
      swapBytes: 30,
      oomKills: 1,
      limitHits: 2,
      readBytes: 1_052_672,
      writeBytes: 2_105_344,
      readOps: 101,
      writeOps: 202,
      cpuPressureSeconds: 157.622151,
      memoryPressureSeconds: 157.622151,
      ioPressureSeconds: 157.622151,
    })
  })

  it('reads all of a v1 cgroup', () => {
    const sensor = new CgroupSensor(fakeSystem({ files: v1Files }), { v2: null, v1 })
    expect(sensor.basis).toEqual({
      cpu: 'cgroup v1 cpuacct.usage',
      memory: 'cgroup v1 memory.max_usage_in_bytes',
      io: 'cgroup v1 blkio.throttle.io_service_bytes_recursive',
      pressure: null,
    })
    expect(usageOf(sensor)).toMatchObject({ usageSeconds: 5, userSeconds: 3, systemSeconds: 2 })
    expect(usageOf(sensor)).toMatchObject({
      memoryBytes: 1000,
      memoryPeakBytes: 2000,
      swapBytes: 0,
    })
    expect(usageOf(sensor)).toMatchObject({ readBytes: 1_052_672, readOps: 3, writeOps: 4 })
    expect(usageOf(sensor)).toMatchObject({
      oomKills: 0,
      limitHits: 3,
      cpuPressureSeconds: Number.NaN,
    })
    const pids: number[] = []
    expect(sensor.members(pids)).toBe(true)
    expect(pids).toEqual([9])
  })

  it('falls back to ticks on an old v1 kernel', () => {
    const system = fakeSystem({ files: v1Files })
    system.tree.delete('/acct/cpuacct.usage_sys')
    const sensor = new CgroupSensor(system, { v2: null, v1 })
    expect(usageOf(sensor)).toMatchObject({ usageSeconds: 5, userSeconds: 3.1, systemSeconds: 1.9 })
  })

  it('takes from v1 what v2 lacks on a hybrid machine', () => {
    const files = {
      ...v1Files,
      '/job/cpu.stat': cgroupFixture('cpu-stat-6.18-no-controller'),
      '/job/cpu.pressure': pressure,
    }
    const sensor = new CgroupSensor(fakeSystem({ files }), { v2: '/job', v1 })
    expect(sensor.basis).toEqual({
      cpu: 'cgroup v2 cpu.stat',
      memory: 'cgroup v1 memory.max_usage_in_bytes',
      io: 'cgroup v1 blkio.throttle.io_service_bytes_recursive',
      pressure: 'cgroup v2 cpu.pressure',
    })
  })

  it('says so where the kernel keeps no peak, and where pressure files cannot be read', () => {
    const system = fakeSystem({ files: v2Files })
    system.tree.delete('/job/memory.peak')
    let opens = 0
    for (const name of ['cpu', 'memory', 'io'])
      system.tree.set(`/job/${name}.pressure`, () => (opens++ % 2 === 0 ? '' : undefined))
    const sensor = new CgroupSensor(system, { v2: '/job', v1: none })
    expect(sensor.basis).toMatchObject({ memory: 'cgroup v2 memory.current', pressure: null })
    expect(usageOf(sensor).memoryPeakBytes).toBeNaN()
  })

  it('does not repeat a figure whose file has gone', () => {
    let content: string | undefined = '1000\n'
    const files = { ...v2Files, '/job/memory.current': () => content }
    const sensor = new CgroupSensor(fakeSystem({ files }), { v2: '/job', v1: none })
    const usage = usageOf(sensor)
    expect(usage.memoryBytes).toBe(1000)
    content = undefined
    sensor.read(usage)
    expect(usage).toMatchObject({ memoryBytes: Number.NaN, usageSeconds: 12.5 })
  })

  it('reads members beyond its first buffer', () => {
    const pids = Array.from({ length: 5000 }, (_, index) => index + 1000)
    const files = { ...v2Files, '/job/cgroup.procs': `${pids.join('\n')}\n` }
    const sensor = new CgroupSensor(fakeSystem({ files }), { v2: '/job', v1: none })
    const found: number[] = []
    expect(sensor.members(found)).toBe(true)
    expect(found).toEqual(pids)
  })

  it('gives each descriptor back once', () => {
    const system = fakeSystem({ files: v2Files })
    const held = new Set<number>()
    const files = {
      ...system.files,
      open(path: string) {
        const descriptor = system.files.open(path)
        if (descriptor >= 0) held.add(descriptor)
        return descriptor
      },
      close: (descriptor: number) => expect(held.delete(descriptor)).toBe(true),
    }
    const sensor = new CgroupSensor({ ...system, files }, { v2: '/job', v1: none })
    expect(held.size).toBe(10) // one for each file but cgroup.procs
    sensor.close()
    sensor.close()
    expect(held.size).toBe(0)
    expect(sensor.members([])).toBe(false)
  })

  it('never gives a negative or endless figure, whatever its files turn into', () => {
    const names = Object.keys(v2Files)
    const system = fakeSystem({ files: v2Files })
    let garbage: Uint8Array | undefined
    for (const name of names) {
      const good = v2Files[name]
      system.tree.set(name, () => garbage ?? (typeof good === 'function' ? good() : good))
    }
    const sensor = new CgroupSensor(system, { v2: '/job', v1: none })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        garbage = bytes
        const figures = Object.values(usageOf(sensor))
        expect(figures.every((each) => Number.isNaN(each) || (each >= 0 && each < 1e16))).toBe(true)
        sensor.members([])
      }),
    )
  })
})
