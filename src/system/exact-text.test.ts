import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactBytes, exactText, textOrBytes } from './exact-text.ts'

describe('exact text', () => {
  const anyBytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array))

  it('stands for any bytes', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(exactBytes(exactText(bytes))).toEqual(bytes)
      }),
      { numRuns: 2000, seed: 1 },
    )
  })

  it('is the text itself where the bytes are UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(exactText(Buffer.from(text))).toBe(text)
        expect(textOrBytes(text)).toBe(text)
      }),
      { seed: 2 },
    )
  })

  it('keeps what is UTF-8 beside what is not', () => {
    const bytes = Buffer.concat([Buffer.from('ü😀'), Buffer.of(0xe9), Buffer.from('€')])
    expect(exactText(bytes)).toBe('ü😀\udce9€')
    expect(exactText(bytes).toWellFormed()).toBe('ü😀\ufffd€')
    expect(textOrBytes('ü😀\udce9€')).toEqual(bytes)
  })

  it.each([
    ['a sequence that is cut off', [0xe2, 0x82], '\udce2\udc82'],
    ['more bytes than needed', [0xc0, 0xaf], '\udcc0\udcaf'],
    ['a surrogate', [0xed, 0xb2, 0x80], '\udced\udcb2\udc80'],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80], '\udcf4\udc90\udc80\udc80'],
    ['no first byte', [0x80, 0xff, 0x41], '\udc80\udcffA'],
  ])('takes no liberties: %s', (_, bytes, text) => {
    expect(exactText(Buffer.from(bytes))).toBe(text)
  })
})
