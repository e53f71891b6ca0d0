import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandLine, printable } from './printable.ts'

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
