import { describe, expect, it } from 'vitest'
import { metricsAsked } from './metrics-option.ts'

describe('what is to be measured', () => {
  it('is what was named, nothing for "none", and the default where nothing was said', () => {
    expect(metricsAsked({ metrics: ['cpu', 'all'], threads: false })).toEqual(['cpu', 'all'])
    expect(metricsAsked({ metrics: ['none'], threads: false })).toBeNull()
    expect(metricsAsked({ metrics: [], threads: false })).toEqual([])
  })

  it.each([
    [['all', 'none'] as const, 'all'],
    [['none', 'cpu', 'io'] as const, 'cpu, io'],
  ])('cannot be something and nothing: %j', (metrics, named) => {
    expect(() => metricsAsked({ metrics, threads: false })).toThrow(
      `--metrics: "none" stands alone, and cannot be asked for together with ${named}`,
    )
  })
})
