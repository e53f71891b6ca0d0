import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatBytes } from '../../model/bytes.ts'
import { briefBytes, briefNumber, briefPercent, briefRate, briefSeconds } from './brief-figures.ts'

describe('figures on charts', () => {
  it.each([
    [0, '0 B'],
    [512, '512 B'],
    [1000, '1000 B'],
    [1023.4, '1023 B'],
    [1024, '1 KB'],
    [1.5 * 2 ** 30, '1.5 GB'],
    [3.694 * 2 ** 30, '3.69 GB'],
    [1023.7 * 2 ** 20, '1 GB'],
    [2 ** 70, '1048576 PB'],
  ])('write %d bytes as %s', (bytes, text) => {
    expect(briefBytes(bytes)).toBe(text)
    expect(briefRate(bytes)).toBe(`${text}/s`)
  })

  it('have bytes in the unit that tables have them in', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e18, noNaN: true }), (bytes) => {
        // Half a unit and less below the next one, both round up to it, each to its own digits.
        fc.pre(!/^102[34]/.test(formatBytes(bytes)))
        expect(briefBytes(bytes).split(' ')[1]).toBe(formatBytes(bytes).split(' ')[1])
      }),
    )
  })

  it.each([
    [0, '0s'],
    [0.256, '0.26s'],
    [2.5, '2.5s'],
    [3, '3s'],
    [45.4, '45s'],
    [59.7, '1m'],
    [90, '1m 30s'],
    [3600, '1h'],
    [3723, '1h 2m'],
    [273_900, '3d 4h'],
    [1e9, '11,574.074d'],
    [1e13, '116Md'],
  ])('write %d seconds as %s', (seconds, text) => {
    expect(briefSeconds(seconds)).toBe(text)
  })

  it('write other numbers in nine characters, however large', () => {
    expect([0, 12.5, 1234, 9_999_999, 12_345_678, 1.5e16].map(briefNumber)).toEqual([
      '0',
      '12.5',
      '1,234',
      '9,999,999',
      '12.3M',
      '1.5E16',
    ])
    expect([briefPercent(84.06), briefPercent(84.06, 1), briefPercent(1234.5)]).toEqual([
      '84%',
      '84.1%',
      '1,235%',
    ])
  })
})
