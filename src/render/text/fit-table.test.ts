import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayWidth } from './display-width.ts'
import { fitTable as fitLines } from './fit-table.ts'
import { table } from './table.ts'

const columns = [
  { header: 'Id', align: 'right' },
  { header: 'Name', align: 'left' },
  { header: 'Mean', align: 'right' },
  { header: 'Peak', align: 'right' },
] as const
const fit = { name: 'Name', expendable: ['Mean', 'Id'] }
const rows = [
  ['1', 'preprocess_of_the_large_mesh_with_all_refinements', '10.0 MB', '20.0 MB'],
  ['2', 'solve', '1.0 MB', '2.0 MB'],
]

function fitTable(...given: Parameters<typeof fitLines>): { text: string; leftOut: unknown } {
  const { lines, leftOut } = fitLines(...given)
  return { text: [...lines].join('\n'), leftOut }
}

describe('a table on a terminal', () => {
  it('is left as it is where it fits, or where it goes to a file', () => {
    for (const width of [null, 80])
      expect(fitTable(columns, rows, fit, width)).toEqual({
        text: table(columns, rows),
        leftOut: [],
      })
  })

  it('shortens names in their middle, then leaves out columns', () => {
    expect(fitTable(columns, rows, fit, 42)).toEqual({
      text: [
        'Id  Name                     Mean     Peak',
        ' 1  preprocess_…inements  10.0 MB  20.0 MB',
        ' 2  solve                  1.0 MB   2.0 MB',
      ].join('\n'),
      leftOut: [],
    })
    expect(fitTable(columns, rows, fit, 32).leftOut).toEqual(['Mean'])
  })

  it('is never wider than the terminal while something can be left out', () => {
    const cell = fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/\P{L}/gu, 'x'))
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 1 }),
        fc.integer({ min: 30, max: 120 }),
        (names, width) => {
          const { text } = fitTable(
            columns,
            names.map((name) => ['1', name, '2', '3']),
            fit,
            width,
          )
          for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width)
        },
      ),
    )
  })
})
