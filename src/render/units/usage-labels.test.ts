import { describe, expect, it } from 'vitest'
import { measured } from '../../model/measured.ts'
import { emptyUsage, usageKeys } from '../../model/usage.ts'
import { formatUsage, groupsOf } from './usage-labels.ts'

const usual = emptyUsage('not looked at')
const usualGroups = groupsOf([usual])

describe('usage labels', () => {
  it('name every figure once; CPU seconds have lines of their own in the details', () => {
    const labelled = usualGroups.flatMap(([, labels]) => Object.keys(labels))
    const cpuSeconds = ['cpuUserSeconds', 'cpuSystemSeconds', 'cpuTotalSeconds']
    expect([...cpuSeconds, ...labelled].toSorted()).toEqual([...usageKeys].toSorted())
  })

  it('are made of the key for figures of further gauges, whose unit stands with the figure', () => {
    expect(usualGroups.flatMap(([name]) => name)).not.toContain('Other')
    const figure = measured(1, 'made up')
    const gpu = { ...usual, gpuMemoryPeakBytes: figure, gpuPercentMean: figure }
    const fan = { ...usual, gpuPercentMean: figure, fanTurns: figure, restSeconds: figure }
    expect(groupsOf([usual, gpu, fan]).slice(usualGroups.length)).toEqual([
      ['GPU', { gpuMemoryPeakBytes: 'memory peak', gpuPercentMean: 'gpu mean' }],
      ['Other', { fanTurns: 'fan turns', restSeconds: 'rest' }],
    ])
  })

  it('say in words what the key alone does not', () => {
    const held = { ...usual, gpuHeldCoresMean: measured(0, 'made up') }
    expect(groupsOf([held]).at(-1)).toEqual([
      'GPU',
      { gpuHeldCoresMean: 'CPU cores kept busy while it held a card, mean' },
    ])
  })

  it('format by the unit in the name', () => {
    expect(formatUsage('ioDelaySeconds', 3.3)).toBe('3.30 s')
    expect(formatUsage('cpuPercentP95', 99.4)).toBe('99 %')
    expect(formatUsage('readChars', 2048)).toBe('2.0 KB')
    expect(formatUsage('minorFaults', 12_345)).toBe('12,345')
    expect(formatUsage('gpuPowerWattsMean', 692.4)).toBe('692 W')
    expect(formatUsage('gpuEnergyJoules', 12_345.6)).toBe('12,346 J (3.4 Wh)')
    expect(formatUsage('gpu0TemperaturePeakCelsius', 61)).toBe('61 °C')
    expect(formatUsage('gpuPcieBytesPerSecondMean', 2048)).toBe('2.0 KB/s')
  })
})
