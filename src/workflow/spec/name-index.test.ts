import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NameIndex, Unions } from './name-index.ts'

const name = fc.string({ unit: fc.constantFrom('a', 'b', '_', '.', '1'), maxLength: 5 })
const pattern = fc.oneof(
  name.map((text) => `^${text.replaceAll('.', String.raw`\.`)}`),
  name.map((text) => `^${text.replaceAll('.', String.raw`\.`)}$`),
  fc.constantFrom('a', '.', 'a|b', '^a.b', '_$', '^(a|b)', '^a+$'),
)

describe('NameIndex', () => {
  it('matches what the regular expression matches, in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name), pattern, (names, text) => {
        const expected = names.flatMap((each, at) => (new RegExp(text).test(each) ? [at] : []))
        expect(new NameIndex(names).matching(text)).toEqual(expected)
      }),
    )
  })

  it('answers the same list for the same pattern', () => {
    const index = new NameIndex(['a1', 'a2', 'b'])
    expect(index.matching('^a')).toBe(index.matching('^a'))
    expect(index.find('b')).toBe(2)
    expect(index.find('c')).toBeUndefined()
  })
})

describe('Unions', () => {
  it('joins sorted, without repetition, and shares what is the same', () => {
    const lists = fc.array(fc.uniqueArray(fc.nat(20)).map((all) => all.toSorted((a, b) => a - b)))
    fc.assert(
      fc.property(lists, (parts) => {
        const unions = new Unions()
        const joined = unions.join(parts)
        expect(joined).toEqual([...new Set(parts.flat())].toSorted((a, b) => a - b))
        expect(unions.join(parts.toReversed())).toBe(joined)
      }),
    )
  })
})
