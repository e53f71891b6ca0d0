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
    [['none', 'cpu', 'io'] as const, 'cpu,io'],
  ])('cannot be something and nothing: %j', (metrics, named) => {
    expect(() => metricsAsked({ metrics, threads: false })).toThrow(
      `--metrics: "none" stands alone. Write --metrics ${named}, or --metrics none to measure nothing`,
    )
  })

  it('cannot be something of a job that is not watched', () => {
    const asked = { metrics: [], threads: true, monitor: false }
    expect(() => metricsAsked(asked)).toThrow(
      '--no-monitor cannot be used together with --threads: a job that is not watched is not measured. Leave out --no-monitor, or the other',
    )
    expect(() => metricsAsked({ ...asked, threads: false, metrics: ['io'] })).toThrow(
      '--no-monitor cannot be used together with --metrics io: ',
    )
    expect(() => metricsAsked({ ...asked, metrics: ['io'] })).toThrow(
      '--no-monitor cannot be used together with --metrics io and --threads: a job that is not watched is not measured. Leave out --no-monitor, or both of the others',
    )
    expect(metricsAsked({ ...asked, threads: false, metrics: ['none'] })).toBeNull()
    expect(metricsAsked({ ...asked, threads: false })).toEqual([])
  })

  it('cannot be the threads of nothing', () => {
    expect(() => metricsAsked({ metrics: ['none'], threads: true })).toThrow(
      '--metrics none and --threads cannot be used together. Write --metrics threads to measure threads alone',
    )
  })
})
