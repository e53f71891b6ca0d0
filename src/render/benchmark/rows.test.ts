import { describe, expect, it } from 'vitest'
import { benchmarkSeconds } from './rows.ts'

describe('benchmarkSeconds', () => {
  it.each([
    [0, '0 s'],
    [0.000_812_44, '812.4 µs'],
    [0.012_345, '12.35 ms'],
    [0.123_456, '123.5 ms'],
    [1.234_56, '1.235 s'],
    [61.234, '61.23 s'],
    [12_345.6, '12346 s'],
  ])('writes %d s as %s', (seconds, text) => {
    expect(benchmarkSeconds(seconds)).toBe(text)
  })
})
