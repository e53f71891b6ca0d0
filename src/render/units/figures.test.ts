import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measured, unmeasured } from '../../model/measured.ts'
import {
  askedSeconds,
  coreHours,
  exactShare,
  fixedKeeping,
  formatBytes,
  formatCount,
  formatHours,
  formatPercent,
  formatSeconds,
  orDash,
  orReason,
  ratePercent,
  roundKeeping,
  signedPercent,
  tableBytes,
  tableCores,
  tableOver,
  tablePercent,
  tableSeconds,
} from './figures.ts'

describe('figures', () => {
  it.each([
    [0, '0'],
    [0.0019, '0.0019'],
    [0.0067, '0.0067'],
    [0.00001234, '0.000012'],
    [0.05, '0.050'],
    [0.1, '0.10'],
    [12.3, '12.30'],
  ])('writes %d hours as %s', (hours, text) => {
    expect(formatHours(hours)).toBe(text)
  })

  it('rounds away no more than a twentieth of any hours', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e6, noNaN: true }), (hours) => {
        expect(Math.abs(Number(formatHours(hours)) - hours)).toBeLessThanOrEqual(0.0501 * hours)
      }),
    )
  })

  it.each([
    [0, '0 B'],
    [512, '512 B'],
    [1023, '1023 B'],
    [1024, '1.0 KB'],
    [1024 * 1023.99, '1.0 MB'],
    [512 * 2 ** 20, '512.0 MB'],
    [3.25 * 2 ** 30, '3.3 GB'],
    [2 ** 70, '1048576.0 PB'],
  ])('writes %d bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  it.each([
    [0, '0.00 s'],
    [0.0031, '0.0031 s'],
    [0.31, '0.31 s'],
    [9.999, '10.0 s'],
    [12.44, '12.4 s'],
    [59.97, '1m 0s'],
    [123, '2m 3s'],
    [3723, '1h 2m 3s'],
    [3599.6, '1h 0m 0s'],
    [273_900, '3d 4h 5m'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text)
  })

  it.each([
    [0, '0 %'],
    [0.002, '0.0020 %'],
    [3.21, '3.2 %'],
    [9.97, '10 %'],
    [398.4, '398 %'],
  ])('writes %d percent as %s', (percent, text) => {
    expect(formatPercent(percent)).toBe(text)
  })

  it('writes figures of tables so that they line up and can be compared', () => {
    expect([8 * 2 ** 30, 2 ** 30 - 1, 600 * 2 ** 20, 1000, 0].map(tableBytes)).toEqual([
      '8.00 GB',
      '1.00 GB',
      '600.00 MB',
      '1000 B',
      '0 B',
    ])
    expect([7200, 9900, 450, 59.96, 45, 12.34, 0.013, 93_784].map(tableSeconds)).toEqual([
      '2h 0m 0s',
      '2h 45m 0s',
      '7m 30s',
      '1m 0s',
      '45s',
      '12.3s',
      '0.013s',
      '26h 3m 4s',
    ])
    expect([8, 1, 0.5, 10, 2.25].map(tableCores)).toEqual([
      '8 cores',
      '1 core',
      '0.5 cores',
      '10 cores',
      '2.25 cores',
    ])
    expect([31.25, -9.9625, 0].map(tableOver)).toEqual(['+31.3%', '-10.0%', '+0.0%'])
    expect([84.06, 0.004].map(tablePercent)).toEqual(['84.1%', '0.0040%'])
  })

  it('writes shares, rates and what to ask for', () => {
    expect([0.123, 0, 1].map(exactShare)).toEqual(['12.3 %', '0.0 %', '100.0 %'])
    expect([12.34, -3, 0].map(signedPercent)).toEqual(['+12.3 %', '-3.0 %', '0.0 %'])
    expect([80, 66.67].map(ratePercent)).toEqual(['80.0%', '66.67%'])
    expect([89.2, 120, 121].map(askedSeconds)).toEqual(['90s', '2m', '3m'])
    expect([0, 24, 36_000].map(coreHours)).toEqual(['0', '0.0067', '10.00'])
  })

  it('shows a dash or the reason for what was not measured', () => {
    expect(orDash(null, String)).toBe('–')
    expect(orReason(null, unmeasured('needs root'), String)).toBe('not measured (needs root)')
    expect(orReason(3, measured(3, 'cgroup'), String)).toBe('3')
  })

  it('rounds nothing measured to 0', () => {
    const positive = fc.double({ min: 1e-12, max: 1e18, noNaN: true })
    fc.assert(
      fc.property(positive, fc.integer({ min: 0, max: 6 }), (value, decimals) => {
        const step = 10 ** -decimals
        const byText = Number(value.toFixed(decimals)) || Number(value.toPrecision(3))
        expect(roundKeeping(value, decimals)).toBe(byText)
        for (const rounded of [
          roundKeeping(value, decimals),
          Number(fixedKeeping(value, decimals)),
        ]) {
          expect(rounded).toBeGreaterThan(0)
          expect(Math.abs(rounded - value)).toBeLessThanOrEqual(step / 2 + value * 1e-9)
        }
        for (const format of [formatBytes, formatSeconds, formatPercent, formatCount]) {
          expect(format(value)).toMatch(/[1-9]/)
        }
      }),
    )
  })
})
