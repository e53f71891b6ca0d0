import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../../system/fake.ts'
import { MachineSpan } from './machine-span.ts'
import { MachineWatch } from '../../machine-watch.ts'

interface Totals {
  busyTicks: number
  idleTicks: number
  waitTicks: number
  totalKilobytes: number
  availableKilobytes: number
  diskSectors: number
  netBytes: number
}

/** A machine of 8 cores whose totals a test sets, and a job that begins on it. */
function begin(differences: Partial<Totals> = {}) {
  const totals: Totals = {
    busyTicks: 1000,
    idleTicks: 5000,
    waitTicks: 100,
    totalKilobytes: 1000,
    availableKilobytes: 600,
    diskSectors: 50,
    netBytes: 70,
    ...differences,
  }
  const system = fakeSystem({
    files: {
      '/proc/stat': () =>
        `cpu  ${totals.busyTicks} 0 0 ${totals.idleTicks} ${totals.waitTicks} 0 0 0 0 0\n`,
      '/proc/meminfo': () =>
        `MemTotal: ${totals.totalKilobytes} kB\nMemAvailable: ${totals.availableKilobytes} kB\nSwapTotal: 0 kB\n`,
      '/proc/diskstats': () =>
        ` 254 0 vda 1 0 ${totals.diskSectors} 1 1 0 ${totals.diskSectors} 1 0 1 1\n`,
      '/proc/net/dev': () =>
        `a|b|c\n face |bytes|bytes\n  eth0: ${totals.netBytes} 1 0 0 0 0 0 0 ${totals.netBytes} 1 0 0 0 0 0 0\n`,
    },
  })
  const machine = new MachineWatch(system)
  const span = new MachineSpan(machine)
  let elapsed = 0
  const pass = (seconds: number, change: Partial<Totals> = {}) => {
    Object.assign(totals, change)
    system.advance(seconds)
    elapsed += seconds
    machine.look()
    span.look(elapsed)
  }
  return { machine, span, pass }
}

describe('the machine over the time of a job', () => {
  it('has the mean, most and least of its CPU in percent of all cores', () => {
    const { span, pass } = begin()
    pass(1, { busyTicks: 1400, idleTicks: 5400 })
    pass(1, { busyTicks: 1600, idleTicks: 6000 })
    expect(span.meanCpuPercent()).toBeCloseTo((600 / 1600) * 100)
    expect(span.cpuPercentRange()?.most).toBeCloseTo(50)
    expect(span.cpuPercentRange()?.least).toBeCloseTo(25)
  })

  it.each([
    ['more', 100],
    ['less', 0],
  ])('has its mean between the two, though the end of the job did %s', (_, busyTicks) => {
    const { span, pass } = begin()
    pass(0.2, { busyTicks: 1080, idleTicks: 5080 })
    pass(0.1, { busyTicks: 1080 + busyTicks, idleTicks: 5180 - busyTicks })
    const mean = span.meanCpuPercent()
    const { least = NaN, most = NaN } = span.cpuPercentRange() ?? {}
    expect(least).toBeCloseTo(Math.min(50, mean))
    expect(most).toBeCloseTo(Math.max(50, mean))
    expect(mean).not.toBeCloseTo(50)
  })

  it('takes no percent of a moment, where ticks would be noise', () => {
    const { span, pass } = begin()
    pass(0.1, { busyTicks: 1080 })
    expect(span.cpuPercentRange()).toBeUndefined()
    expect(span.meanCpuPercent()).toBeCloseTo(100)
  })

  it('keeps the most and least that it saw though the counters stand still or go back', () => {
    const { span, pass } = begin()
    pass(1, { busyTicks: 1400, idleTicks: 5400 })
    pass(1)
    pass(1, { busyTicks: 1, idleTicks: 1, waitTicks: 1 })
    expect(span.meanCpuPercent()).toBeNaN()
    expect(span.cpuPercentRange()).toEqual({ least: 50, most: 50 })
  })

  it('weighs memory by time', () => {
    const { span, pass } = begin()
    pass(9, { availableKilobytes: 100 })
    pass(1)
    expect(span.memoryBytes.meanUntil(10) / 1024).toBeCloseTo((9 * 400 + 900) / 10)
    expect(span.memoryBytes).toMatchObject({ least: 400 * 1024, most: 900 * 1024 })
  })

  it('counts what went through disks and network since the job began', () => {
    const { span, pass } = begin()
    pass(1, { diskSectors: 60, netBytes: 100 })
    expect(span.grown('diskReadBytes')).toBe(5120)
    expect(span.grown('diskWriteBytes')).toBe(5120)
    expect(span.grown('netSentBytes')).toBe(30)
  })

  it('shows no growth for a counter that went back, and none that cannot be', () => {
    const { span, pass } = begin()
    pass(1, { diskSectors: 1, netBytes: 9_000_000_000_000_000 })
    expect(span.grown('diskReadBytes')).toBe(0)
    expect(span.grown('netSentBytes')).toBeNaN()
  })

  it('keeps percents within a hundred though idle or waiting time goes back', () => {
    const { span, pass } = begin()
    pass(1, { busyTicks: 1800, idleTicks: 4300 })
    expect(span.meanCpuPercent()).toBe(100)
    pass(1, { busyTicks: 1000, idleTicks: 4300, waitTicks: 900 })
    expect(span.meanCpuPercent()).toBe(0)
    expect(span.meanIoWaitPercent()).toBe(100)
  })

  it('believes another size of the machine when it is told twice', () => {
    const { machine, pass } = begin()
    pass(1, { totalKilobytes: 9_999_999 })
    expect(machine.usage).toMatchObject({ totalMemoryBytes: 1000 * 1024, usedMemoryBytes: NaN })
    pass(1)
    expect(machine.usage.totalMemoryBytes).toBe(9_999_999 * 1024)
    pass(1, { totalKilobytes: 5 })
    pass(1, { totalKilobytes: 9_999_999 })
    expect(machine.usage.totalMemoryBytes).toBe(9_999_999 * 1024)
  })

  it('is looked at once for all jobs of a moment', () => {
    const system = fakeSystem({ files: { '/proc/stat': 'cpu  1 0 0 1 0 0 0 0 0 0\n' } })
    const machine = new MachineWatch(system)
    system.tree.set('/proc/stat', 'gone')
    machine.look()
    expect(machine.usage.busySeconds).toBe(0.01)
  })
})
