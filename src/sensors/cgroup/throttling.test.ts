import { describe, expect, it } from 'vitest'
import { parseThrottling, Throttling } from './throttling.ts'

const parse = (text: string) => {
  const bytes = new TextEncoder().encode(text)
  const into = new Throttling()
  const isKnown = parseThrottling(bytes, bytes.length, into)
  const { periods, throttledPeriods, throttledSeconds } = into
  return { isKnown, periods, throttledPeriods, throttledSeconds }
}

describe('parseThrottling', () => {
  it('reads nanoseconds of v1 and microseconds of v2', () => {
    const told = { isKnown: true, periods: 30, throttledPeriods: 13, throttledSeconds: 1.5 }
    expect(
      parse(
        'nr_periods 30\nnr_throttled 13\nthrottled_time 1500000000\nnr_bursts 0\nburst_time 0\n',
      ),
    ).toEqual(told)
    expect(parse('usage_usec 9\nnr_periods 30\nnr_throttled 13\nthrottled_usec 1500000\n')).toEqual(
      told,
    )
  })

  it('says so where no limit is told of', () => {
    expect(parse('usage_usec 9\nuser_usec 5\nsystem_usec 4\n').isKnown).toBe(false)
  })
})
