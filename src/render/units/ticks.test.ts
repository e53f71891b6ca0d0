import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { briefBytes, briefSeconds } from './brief-figures.ts'
import { ticks, type TickBase } from './ticks.ts'

describe('ticks', () => {
  it.each([
    [7.3, 5, 10, ['0', '2', '4', '6']],
    [0.7, 4, 10, ['0', '0.2', '0.4', '0.6000000000000001']],
    [1024, 5, 1024, ['0 B', '256 B', '512 B', '768 B', '1 KB']],
    [3.9 * 2 ** 30, 4, 1024, ['0 B', '1 GB', '2 GB', '3 GB']],
    [59, 4, 60, ['0s', '15s', '30s', '45s']],
    [7200, 8, 60, ['0s', '15m', '30m', '45m', '1h', '1h 15m', '1h 30m', '1h 45m', '2h']],
    [0.6, 6, 60, ['0s', '0.1s', '0.2s', '0.3s', '0.4s', '0.5s', '0.6s']],
    [3 * 86_400, 3, 60, ['0s', '1d', '2d', '3d']],
    [100 * 3600, 10, 60, ['0s', '12h', '1d', '1d 12h', '2d', '2d 12h', '3d', '3d 12h', '4d']],
    [40 * 86_400, 5, 60, ['0s', '10d', '20d', '30d', '40d']],
    [0, 5, 10, ['0']],
    [Number.NaN, 5, 10, ['0']],
  ] as const)('up to %d in %d steps by %d are %j', (most, wanted, base, texts) => {
    const words = { 10: String, 60: briefSeconds, 1024: briefBytes }[base]
    expect(ticks(most, wanted, base).map(words)).toEqual(texts)
  })

  it('begin at 0, are evenly apart, go nearly up to the value and are a scale', () => {
    const bases = fc.constantFrom<TickBase>(10, 60, 1024)
    const values = fc.double({ min: 1e-3, max: 1e18, noNaN: true })
    fc.assert(
      fc.property(values, fc.integer({ min: 3, max: 12 }), bases, (most, wanted, base) => {
        // Bytes are whole: a scale of less than one has no marks.
        fc.pre(base !== 1024 || most >= wanted)
        const marks = ticks(most, wanted, base)
        const [first, step = 0] = marks
        expect(first).toBe(0)
        for (const [index, mark] of marks.entries())
          expect(Math.abs(mark - index * step)).toBeLessThanOrEqual(most * 1e-9)
        expect(marks.at(-1) ?? 0).toBeLessThanOrEqual(most * 1.001)
        expect((marks.at(-1) ?? 0) + step).toBeGreaterThan(most)
        expect(marks.length).toBeGreaterThanOrEqual(3)
        expect(marks.length).toBeLessThanOrEqual(2.6 * wanted + 1)
      }),
    )
  })
})
