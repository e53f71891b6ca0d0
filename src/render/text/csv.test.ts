import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csv } from './csv.ts'

const cellOf = (value: string | number | null): string => csv([[value]]).slice(0, -1)

describe('csv', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
    ['-2+3', "'-2+3"],
    ['-A1', "'-A1"],
    ['-', "'-"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['＝1+1', "'＝1+1"],
    ['=A1,"x"', `"'=A1,""x"""`],
    ['-3.2', '-3.2'],
    ['+12.5%', '+12.5%'],
    ['-1.5 GB', '-1.5 GB'],
    ['-1e-7', '-1e-7'],
    ['a=b', 'a=b'],
    ['', ''],
  ])('defuses formulas and leaves numbers: %j', (text, cell) => {
    expect(cellOf(text)).toBe(cell)
  })

  it('leaves every number a number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(Number(cellOf(number))).toBe(number === 0 ? 0 : number)
        expect(Number(cellOf(String(number)))).toBe(number === 0 ? 0 : number)
      }),
    )
    expect(cellOf(null)).toBe('')
  })

  it('begins no cell of text with the sign of a formula', () => {
    const start = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '', '"', ',')
    fc.assert(
      fc.property(start, fc.string({ unit: 'binary' }), (sign, rest) => {
        const shown = cellOf(sign + rest)
        const content = shown.startsWith('"') ? shown.slice(1) : shown
        expect(content).not.toMatch(/^[=@\t\r]/)
        const signed = /^[-+]/.test(content) ? content : '-1'
        expect(signed).toMatch(/^[-+]\d[\d.,]*(e[-+]?\d+)?( ?[a-z%]+)?$/i)
      }),
      { seed: 3, numRuns: 1000 },
    )
  })
})
