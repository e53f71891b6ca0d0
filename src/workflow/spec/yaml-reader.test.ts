import fc from 'fast-check'
import { stringify } from 'yaml'
import { describe, expect, it } from 'vitest'
import { placeOfKey, placeOfValue, plainValue } from './spec-node.ts'
import { readYaml } from './yaml-reader.ts'

function read(text: string): unknown {
  const { root, problems } = readYaml(text)
  expect(problems).toEqual([])
  return root === null ? undefined : plainValue(root)
}

describe('readYaml', () => {
  it('is YAML 1.2, whatever the file says of itself', () => {
    const text = 'i: 1:10\nj: no\nk: 012\nl: 0o14\n'
    const expected = { i: '1:10', j: 'no', k: 12, l: 12 }
    expect(read(text)).toEqual(expected)
    expect(read(`%YAML 1.1\n---\n${text}`)).toEqual(expected)
  })

  it('merges, with what is written before what is merged', () => {
    const text = 'a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: [*a, *b], x: 0}\nd: {"<<": 1}\n'
    expect(read(text)).toMatchObject({ c: { x: 0, y: 1, z: 2 }, d: { '<<': 1 } })
  })

  it('reads what the yaml package writes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
        const text = stringify(value)
        if (/__proto__|<<|-0/.test(text)) return
        expect(read(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('knows the place of keys, values and what an alias stands for', () => {
    const { root } = readYaml('one: &x\n  deep: 1\ntwo:\n  - *x\n  - {k: v}\n')
    if (root === null) throw new Error('no document')
    expect(placeOfKey(root, ['one', 'deep'])).toEqual({ line: 2, column: 3 })
    expect(placeOfValue(root, ['two', 0, 'deep'])).toEqual({ line: 2, column: 9 })
    expect(placeOfValue(root, ['two', 1, 'k'])).toEqual({ line: 5, column: 9 })
  })

  it('survives aliases that stand for billions of values, and deep nesting', () => {
    const levels = Array.from({ length: 12 }, (_, n) => {
      const before = Array.from({ length: 10 }, () => (n === 0 ? 'x' : `*l${n - 1}`))
      return `l${n}: &l${n} [${before.join(', ')}]`
    })
    expect(readYaml(levels.join('\n')).problems[0]?.message).toContain('aliases stand for')
    const deep = readYaml(`a: ${'['.repeat(5000)}${']'.repeat(5000)}`)
    expect(deep.problems[0]?.message).toContain('nested')
  })
})
