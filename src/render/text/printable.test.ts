import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandLine, printable, printableText } from './printable.ts'
import { ourColours } from './our-colours.ts'
import { colourStyle } from './style.ts'

describe('printable', () => {
  it.each([
    ['plain text, ümlaut, 日本語, 🙂', 'plain text, ümlaut, 日本語, 🙂'],
    ['\u001b[31mred', String.raw`\x1b[31mred`],
    ['a\r\n\tb', String.raw`a\r\n\tb`],
    ['\u009b2J\u007f\0', String.raw`\x9b2J\x7f\x00`],
    ['abc\u202Etxt.exe', String.raw`abc\u{202e}txt.exe`],
    ['x\u2028y', String.raw`x\u{2028}y`],
    ['\ud800', String.raw`\u{d800}`],
  ])('escapes what could act on a terminal: %j', (text, safe) => {
    expect(printable(text)).toBe(safe)
  })

  it('leaves nothing that a terminal would obey, and changes nothing twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const safe = printable(text)
        expect(safe).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
        expect(printable(safe)).toBe(safe)
      }),
    )
  })
})

describe('commandLine', () => {
  it('quotes what a shell would split', () => {
    expect(commandLine(['sh', '-c', "echo 'a b'", ''])).toBe(
      String.raw`sh -c 'echo '\''a b'\''' ''`,
    )
  })
})

describe('printableText', () => {
  const colours = colourStyle.red(colourStyle.bold('stop'))

  it('keeps lines, tabs and our own colours, and nothing else', () => {
    expect(printableText('a\tb\n✓ ▇ · …\n', false)).toBe('a\tb\n✓ ▇ · …\n')
    expect(printableText(`${colours}\u001b[5mx\u001b[31m\r\n`, true)).toBe(
      `${colours}${String.raw`\x1b[5mx`}\u001b[31m${String.raw`\r`}\n`,
    )
    expect(printableText(colours, false)).toBe(String.raw`\x1b[31m\x1b[1mstop\x1b[22m\x1b[39m`)
  })

  it('lets nothing through that a terminal would obey', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, hasColours) => {
        const safe = printableText(text, hasColours)
        expect(safe.replaceAll(ourColours, '')).not.toMatch(
          /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u,
        )
      }),
      { seed: 2, numRuns: 2000 },
    )
  })

  it('knows the colours that there are', () => {
    const { bold, dim, red, green, yellow, cyan } = colourStyle
    const all = [bold, dim, red, green, yellow, cyan].map((paint) => paint('x'))
    expect(all).toHaveLength(Object.keys(colourStyle).length)
    expect(all.join('').replaceAll(ourColours, '')).toBe('xxxxxx')
  })
})
