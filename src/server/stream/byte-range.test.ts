import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partOf } from './byte-range.ts'

describe('the part of a log that a header asks for', () => {
  it.each([
    ['bytes=0-3', { from: 0, to: 4 }],
    ['bytes=4-', { from: 4, to: 10 }],
    ['bytes=-3', { from: 7, to: 10 }],
    ['bytes=-30', { from: 0, to: 10 }],
    ['bytes=9-99', { from: 9, to: 10 }],
    ['bytes=10-', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=5-2', undefined],
    ['bytes=-', undefined],
    ['bytes=1-2,4-5', undefined],
    ['lines=1-2', undefined],
  ] as const)('%s', (header, part) => expect(partOf(header, 10)).toEqual(part))

  it('lies within the log, whatever is asked for', () => {
    const number = fc.option(fc.nat(50), { nil: '' })
    fc.assert(
      fc.property(number, number, fc.nat(40), (first, last, size) => {
        const part = partOf(`bytes=${first}-${last}`, size)
        if (part === undefined || part === 'none') return
        expect(part.from).toBeGreaterThanOrEqual(0)
        expect(part.to).toBeGreaterThan(part.from)
        expect(part.to).toBeLessThanOrEqual(size)
      }),
    )
  })
})
