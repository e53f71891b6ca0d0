import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonText } from './json-text.ts'

describe('jsonText', () => {
  it('escapes what a terminal could obey', () => {
    expect(jsonText({ a: '\u001b\u009b\u202e' })).toBe(String.raw`{"a":"\u001b\u009b\u202e"}`)
  })

  it('stands for the same value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.double(), (text, number) => {
        const value = { [`k${text}`]: [text, Number.isFinite(number) ? number || 0 : null] }
        const json = jsonText(value, 2)
        expect(JSON.parse(json)).toEqual(value)
        expect(json.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
      }),
    )
  })
})
