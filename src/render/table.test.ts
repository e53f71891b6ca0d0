import { describe, expect, it } from 'vitest'
import { table } from './table.ts'

describe('table', () => {
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
