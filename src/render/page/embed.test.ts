import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { embeddedJson, inlineScript } from './embed.ts'

describe('embeddedJson', () => {
  it('says the same, and never ends its element', () => {
    fc.assert(
      fc.property(fc.record({ text: fc.string({ unit: 'binary' }) }), (value) => {
        const json = embeddedJson(value)
        expect(JSON.parse(json)).toEqual(value)
        expect(json).not.toContain('<')
      }),
    )
    expect(embeddedJson({ a: '</script><!--' })).toBe(String.raw`{"a":"\u003c/script>\u003c!--"}`)
  })
})

describe('inlineScript', () => {
  it('leaves nothing that ends the script or hides it', () => {
    expect(inlineScript('a = "</SCRIPT>"; b = "<!--"')).toBe(
      String.raw`a = "<\/SCRIPT>"; b = "<\!--"`,
    )
  })
})
