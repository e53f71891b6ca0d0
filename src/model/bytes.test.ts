import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askedSize, parseBytes } from './bytes.ts'

const gib = 1024 ** 3

describe('parseBytes', () => {
  it.each([
    ['0', 0],
    ['1024', 1024],
    ['100b', 100],
    ['100B', 100],
    ['512k', 512 * 1024],
    ['512K', 512 * 1024],
    ['512m', 512 * 1024 ** 2],
    ['512MB', 512 * 1024 ** 2],
    ['8g', 8 * gib],
    ['8GB', 8 * gib],
    ['8GiB', 8 * gib],
    ['8gib', 8 * gib],
    ['8Gi', 8 * gib],
    ['8 GiB', 8 * gib],
    [' 8 GiB ', 8 * gib],
    ['1.5g', 1.5 * gib],
    ['.5g', 0.5 * gib],
    ['1t', 1024 * gib],
    ['2p', 2 * 1024 ** 2 * gib],
    ['0.3k', 307],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('reads %j as %d bytes', (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes)
  })

  it.each([
    '',
    ' ',
    '-1',
    '-8g',
    '+8g',
    'NaN',
    'Infinity',
    '1e3',
    '0x10',
    '1_000',
    '1,5g',
    '1.g',
    '.',
    'g',
    '8x',
    '8  g',
    '8ib',
    '8gg',
    '8 g b',
    '4 potatoes',
    '9007199254740992',
    '8p9',
    '9000p',
    '1'.repeat(400),
    '8g\n8g',
  ])('refuses %j', (text) => {
    expect(parseBytes(text)).toBeUndefined()
  })

  it('reads back every whole number of every unit, in any spelling', () => {
    const units = [
      ['k', 1],
      ['m', 2],
      ['g', 3],
      ['t', 4],
    ] as const
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 8191 }),
        fc.constantFrom(...units),
        fc.constantFrom('', 'b', 'B', 'iB', 'ib'),
        fc.constantFrom('', ' '),
        fc.boolean(),
        (amount, [prefix, power], ending, gap, upper) => {
          const text = `${amount}${gap}${upper ? prefix.toUpperCase() : prefix}${ending}`
          expect(parseBytes(text)).toBe(amount * 1024 ** power)
        },
      ),
    )
  })

  it('answers a safe, whole, non-negative number or nothing, whatever it is given', () => {
    const near = fc.stringMatching(/^[-+.\d]{0,6} ?[kmgtpKMGTPibBx]{0,3}$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (text) => {
        const bytes = parseBytes(text)
        expect(bytes === undefined || (Number.isSafeInteger(bytes) && bytes >= 0)).toBe(true)
        expect(Object.is(bytes, -0)).toBe(false)
      }),
    )
  })
})

describe('askedSize', () => {
  it.each([
    [81 * 1024 ** 2, '81 MB'],
    [80.5 * 1024 ** 2, '81 MB'],
    [12 * gib, '12 GB'],
    [1.5 * gib, '1536 MB'],
    [0, '0 MB'],
  ])('writes %d as %s', (bytes, text) => {
    expect(askedSize(bytes)).toBe(text)
  })

  it('can be asked for, and is never less than what was given, nor a MB more', () => {
    fc.assert(
      fc.property(
        fc.maxSafeNat().map((bytes) => bytes % 2 ** 45),
        (bytes) => {
          const asked = parseBytes(askedSize(bytes)) ?? 0
          expect(asked).toBeGreaterThanOrEqual(bytes)
          expect(asked - bytes).toBeLessThan(1024 ** 2)
        },
      ),
    )
  })
})
