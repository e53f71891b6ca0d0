import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleWidth } from '../../../test/synthetic/sample-width.ts'
import { sampleIndex, type SampleColumn } from '../../model/sample.ts'
import { usageKeys } from '../../model/usage.ts'
import { interruptedEnd } from './interrupted.ts'

function sample(figures: Partial<Record<SampleColumn, number>>): Float64Array {
  const row = new Float64Array(sampleWidth).fill(Number.NaN)
  for (const [name, figure] of Object.entries(figures))
    row[sampleIndex[name as SampleColumn]] = figure
  return row
}

describe('interruptedEnd', () => {
  it('knows nothing where there is no sample', () => {
    const end = interruptedEnd({ startedAt: 100, lastSample: null, memoryPeakBytes: null })
    expect(end.endedAt).toBeNull()
    expect(end.durationSeconds).toBeNull()
    for (const key of usageKeys)
      expect(end.usage[key]).toEqual({ value: null, why: 'the runner was killed' })
  })

  it('takes what the last sample proves, and nothing else', () => {
    const lastSample = sample({
      timestamp: 112.5,
      elapsed_seconds: 12.5,
      cpu_user_seconds: 3,
      cpu_system_seconds: 0.5,
      memory_bytes: 10,
      read_bytes: 77,
    })
    const end = interruptedEnd({ startedAt: 100, lastSample, memoryPeakBytes: 40 })
    const basis = 'last sample before the runner died'
    expect(end.endedAt).toBe(112.5)
    expect(end.durationSeconds).toBe(12.5)
    expect(end.usage.cpuUserSeconds).toEqual({ value: 3, basis })
    expect(end.usage.cpuSystemSeconds).toEqual({ value: 0.5, basis })
    expect(end.usage.cpuTotalSeconds).toEqual({ value: 3.5, basis })
    expect(end.usage.memoryPeakBytes).toEqual({ value: 40, basis })
    expect(end.usage.readBytes.value).toBeNull()
  })

  it('ends after the start though the wall clock stepped back', () => {
    const lastSample = sample({ timestamp: 40, elapsed_seconds: 7 })
    const end = interruptedEnd({ startedAt: 100, lastSample, memoryPeakBytes: null })
    expect(end.endedAt).toBe(107)
  })

  it('never makes a figure of what is not a number', () => {
    const anything = fc.array(fc.double(), { minLength: sampleWidth, maxLength: sampleWidth })
    fc.assert(
      fc.property(anything, fc.option(fc.double()), (figures, memoryPeakBytes) => {
        const lastSample = Float64Array.from(figures)
        const end = interruptedEnd({ startedAt: 100, lastSample, memoryPeakBytes })
        for (const key of usageKeys) {
          const { value } = end.usage[key]
          expect(value === null || Number.isFinite(value)).toBe(true)
        }
        expect(end.durationSeconds ?? 0).toBeGreaterThanOrEqual(0)
        expect(end.endedAt ?? 100).toBeGreaterThanOrEqual(100)
      }),
    )
  })
})
