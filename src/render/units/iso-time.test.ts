import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoMicroseconds } from './iso-time.ts'

describe('isoMicroseconds', () => {
  it('writes UTC with microseconds', () => {
    expect(isoMicroseconds(0)).toBe('1970-01-01T00:00:00.000000')
    expect(isoMicroseconds(Date.UTC(2025, 9, 15, 10, 35, 30) / 1000 + 0.123456)).toBe(
      '2025-10-15T10:35:30.123456',
    )
    expect(isoMicroseconds(-0.000001)).toBe('1969-12-31T23:59:59.999999')
  })

  it('answers null for what no calendar has', () => {
    expect([Number.NaN, Infinity, 1e15, -1e12].map(isoMicroseconds)).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  it('keeps the time to a microsecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e15 }), (microseconds) => {
        const text = isoMicroseconds(microseconds / 1e6) ?? ''
        const back = Date.parse(`${text.slice(0, 23)}Z`) * 1000 + Number(text.slice(23))
        expect(Math.abs(back - microseconds)).toBeLessThanOrEqual(1)
      }),
    )
  })
})
