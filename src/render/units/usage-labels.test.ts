import { describe, expect, it } from 'vitest'
import { usageKeys } from '../../model/usage.ts'
import { formatUsage, usageGroups } from './usage-labels.ts'

describe('usage labels', () => {
  it('name every figure once; CPU seconds have lines of their own in the details', () => {
    const labelled = usageGroups.flatMap(([, labels]) => Object.keys(labels))
    const cpuSeconds = ['cpuUserSeconds', 'cpuSystemSeconds', 'cpuTotalSeconds']
    expect([...cpuSeconds, ...labelled].toSorted()).toEqual([...usageKeys].toSorted())
  })

  it('format by the unit in the name', () => {
    expect(formatUsage('ioDelaySeconds', 3.3)).toBe('3.30 s')
    expect(formatUsage('cpuPercentP95', 99.4)).toBe('99 %')
    expect(formatUsage('readChars', 2048)).toBe('2.0 KB')
    expect(formatUsage('minorFaults', 12_345)).toBe('12,345')
  })
})
