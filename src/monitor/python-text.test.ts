import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pythonText } from './python-text.ts'

describe('a value as Python prints it', () => {
  it('is that of the documented log', () => {
    expect(pythonText({ mesh_size: 64 })).toBe("{'mesh_size': 64}")
    expect(pythonText({})).toBe('{}')
    expect(pythonText({ a: [1.5, 'x', null, true, { b: false }], at: new Date(0) })).toBe(
      "{'a': [1.5, 'x', None, True, {'b': False}], 'at': '1970-01-01T00:00:00.000Z'}",
    )
    expect(pythonText("it's")).toBe('"it\'s"')
    expect(pythonText('it\'s "so"')).toBe(`'it\\'s "so"'`)
  })

  it('reads in Python as the same value', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: fc.constantFrom('a', "'", '"', '\\', '\n', '\t', '\r', 'é', '{') }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.string({ unit: 'grapheme-ascii', maxLength: 4 }), tie('any'), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
      ),
    })).any
    const values = fc.sample(value, { numRuns: 300, seed: 7 })
    const program =
      'import ast,json,sys; print(json.dumps([ast.literal_eval(t) for t in json.load(sys.stdin)]))'
    const read = execFileSync('python3', ['-c', program], {
      input: JSON.stringify(values.map(pythonText)),
      encoding: 'utf8',
    })
    expect(JSON.parse(read)).toEqual(values)
  })
})
