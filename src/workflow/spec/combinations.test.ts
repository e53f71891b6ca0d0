import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { product, zip, type NamedValues } from './combinations.ts'

const values = fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 5 })
const parameters = fc
  .array(values, { maxLength: 4 })
  .map((lists) => lists.map((list, index): NamedValues => ({ name: `p${index}`, values: list })))

/** Counts through the combinations like an odometer. */
function bruteForce(lists: readonly NamedValues[]): unknown[][] {
  const total = lists.reduce((count, { values: list }) => count * list.length, 1)
  return Array.from({ length: total }, (_, position) => {
    let rest = position
    return lists
      .toReversed()
      .map(({ values: list }) => {
        const digit = list[rest % list.length]
        rest = Math.floor(rest / list.length)
        return digit
      })
      .toReversed()
  })
}

describe('product', () => {
  it('is every combination once, the last parameter changing fastest', () => {
    fc.assert(
      fc.property(parameters, (lists) => {
        const result = product(lists)
        const rows = result.kind === 'ok' ? result.rows() : []
        expect(rows).toEqual(bruteForce(lists))
        expect(result).toMatchObject({ kind: 'ok', count: rows.length })
        expect(new Set(rows.map((row) => row.join(','))).size).toBe(rows.length)
      }),
    )
  })

  it('knows how many there are before it makes them', () => {
    const wide = Array.from({ length: 60 }, (_, index) => ({ name: `p${index}`, values: [1, 2] }))
    expect(product(wide)).toMatchObject({ kind: 'ok', count: 2 ** 60 })
  })
})

describe('zip', () => {
  it('takes the values side by side', () => {
    const equal = fc.tuple(parameters, fc.integer({ min: 1, max: 5 })).map(([lists, length]) =>
      lists.map(({ name }, at) => ({
        name,
        values: Array.from({ length }, (_, row) => `${at}/${row}`),
      })),
    )
    fc.assert(
      fc.property(equal, (lists) => {
        const result = zip(lists)
        const rows = result.kind === 'ok' ? result.rows() : []
        expect(rows).toHaveLength(lists[0]?.values.length ?? 1)
        rows.forEach((row, at) => expect(row).toEqual(lists.map((list) => list.values[at])))
      }),
    )
  })

  it('names unequal lengths', () => {
    const unequal = parameters.filter(
      (lists) => new Set(lists.map((list) => list.values.length)).size > 1,
    )
    fc.assert(
      fc.property(unequal, (lists) => {
        const each = lists.map((list) => `${list.name} has ${list.values.length}`)
        const message = `zip needs the same number of values for each parameter: ${each.join(', ')}`
        expect(zip(lists)).toEqual({ kind: 'wrong', message })
      }),
    )
  })
})
