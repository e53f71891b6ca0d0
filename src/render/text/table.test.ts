import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { table } from './table.ts'

describe('table', () => {
  it('keeps its columns under one another, however wide the letters are', () => {
    // Each with the columns that a terminal gives it.
    const words = [
      ['abc', 3],
      ['日本語', 6],
      ['e\u0301te\u0301', 3],
      ['한', 2],
      ['\u1112\u1161\u11ab', 2],
      ['🙂', 2],
      ['', 0],
    ] as const
    const cell = fc.constantFrom(...words)
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        const columns = [
          { header: 'Name', align: 'left' },
          { header: 'Size', align: 'right' },
        ] as const
        const texts = rows.map(([one, other]) => [one[0], other[0]])
        const [, ...lines] = table(columns, texts).split('\n')
        const left = Math.max(4, ...rows.map(([one]) => one[1]))
        const right = Math.max(4, ...rows.map(([, other]) => other[1]))
        const expected = rows.map(([one, other]) =>
          `${one[0]}${' '.repeat(left - one[1] + 2 + right - other[1])}${other[0]}`.trimEnd(),
        )
        expect(lines).toEqual(expected)
      }),
      { seed: 10 },
    )
  })

  it('aligns by what is seen, numbers to the right, without trailing blanks', () => {
    const columns = [
      { header: 'name', align: 'left' },
      { header: 'count', align: 'right' },
      { header: 'note', align: 'left' },
    ] as const
    const rows = [
      ['日本', '7', 'x'],
      ['b', '1234567', ''],
    ]
    expect(table(columns, rows)).toBe(
      ['name    count  note', '日本        7  x', 'b     1234567'].join('\n'),
    )
  })

  it('has no header line when no column has a header', () => {
    expect(table([{ header: '', align: 'left' }], [['a']])).toBe('a')
  })

  it('takes more rows than a call takes arguments', () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => [String(index)])
    expect(table([{ header: 'n', align: 'right' }], rows)).toHaveLength(200_001 * 7 - 1)
  })
})
