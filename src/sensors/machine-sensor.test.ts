import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { procfsFixture } from '../../test/fixtures/procfs/fixture.ts'
import { fakeSystem } from '../system/fake.ts'
import type { FakeContent } from '../system/fake-files.ts'
import { MachineSensor, MachineUsage } from './machine-sensor.ts'

const files: Record<string, FakeContent> = {
  '/proc/stat': procfsFixture('machine-stat-5.14-256-cores'),
  '/proc/meminfo': procfsFixture('meminfo-made-up-no-available'),
  '/proc/diskstats': procfsFixture('diskstats-4.18'),
  '/proc/net/dev': procfsFixture('net-dev-5.10-containers'),
  '/proc/pressure/cpu': procfsFixture('pressure-5.10-cpu'),
}

const nothing = new MachineUsage()

describe('MachineSensor', () => {
  it('reads what is there, with a /proc/stat larger than its first buffer', () => {
    const usage = new MachineUsage()
    new MachineSensor(fakeSystem({ files })).read(usage)
    expect(usage).toEqual({
      busySeconds: 393.6,
      ioWaitSeconds: 10.24,
      idleSeconds: 25_600,
      usedMemoryBytes: 997_152 * 1024,
      totalMemoryBytes: 2_097_152 * 1024,
      swapTotalBytes: 1_048_576 * 1024,
      swapFreeBytes: 1_048_000 * 1024,
      diskReadBytes: 20_000 * 512,
      diskWriteBytes: 40_000 * 512,
      netReceivedBytes: 1_003_000,
      netSentBytes: 204_000,
      cpuPressureSeconds: 157.622151,
      memoryPressureSeconds: Number.NaN,
      ioPressureSeconds: Number.NaN,
    })
  })

  it('has no figures on a machine that shows nothing, nor after it was closed', () => {
    const usage = new MachineUsage()
    new MachineSensor(fakeSystem()).read(usage)
    expect(usage).toEqual(nothing)
    const sensor = new MachineSensor(fakeSystem({ files }))
    sensor.read(usage)
    sensor.close()
    sensor.read(usage)
    expect(usage).toEqual(nothing)
  })

  it('never gives a negative or endless figure, whatever its files turn into', () => {
    let garbage: Uint8Array | undefined
    const changing = Object.fromEntries(
      Object.keys(files).map((path): [string, FakeContent] => [path, () => garbage ?? '']),
    )
    const sensor = new MachineSensor(fakeSystem({ files: changing }))
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        garbage = bytes
        const usage = new MachineUsage()
        sensor.read(usage)
        const figures = Object.values(usage)
        expect(figures.every((each) => Number.isNaN(each) || (each >= 0 && each < 1e16))).toBe(true)
      }),
    )
  })
})
