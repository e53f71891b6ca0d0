import fc from 'fast-check'
import { expect, it } from 'vitest'
import { storedText, textToStore } from './stored-text.ts'

it('keeps every text, and none with a NUL', () => {
  const text = fc.string({ unit: fc.constantFrom('\0', '\u{fdd0}', '0', '1', 'a', '\u{10ffff}') })
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (any) => {
      expect(textToStore(any)).not.toContain('\0')
      expect(storedText(textToStore(any))).toBe(any)
    }),
  )
})

it('leaves what needs no change as it is', () => {
  expect(textToStore('train.py --rate 0.1')).toBe('train.py --rate 0.1')
})
