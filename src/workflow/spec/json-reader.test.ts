import fc from 'fast-check'
import JSON5 from 'json5'
import { describe, expect, it } from 'vitest'
import { readJson, readJson5 } from './json-reader.ts'
import { placeOfKey, placeOfValue, plainValue, type ReadDocument } from './spec-node.ts'

/** `no` for a text that is refused. */
function outcome(read: () => unknown): unknown {
  try {
    return { value: read() }
  } catch {
    return 'no'
  }
}

function ours({ root, problems }: ReadDocument): unknown {
  if (root === null || problems.length > 0) throw new Error(problems[0]?.message)
  return plainValue(root)
}

// Repeated keys are errors here, and the last one counts there.
const jsonValue = fc.jsonValue({ maxDepth: 4 })
const pieces = [
  String.raw`{ } [ ] , : " ' \ / * + - . 0 1 e a:1 "b":2 null true Infinity NaN 0x1F \u0041 \x41 /*c*/`.split(
    ' ',
  ),
  ' ',
  '\n',
  '// c\n',
].flat()
const noise = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(''))

const hasRepeatedKey = (text: string): boolean =>
  [readJson(text), readJson5(text)].some(({ problems }) =>
    problems.some(({ message }) => message.includes('twice')),
  )

describe('readJson', () => {
  it('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(0, 2), (value, space) => {
        const text = JSON.stringify(value, null, space)
        if (text.includes('"__proto__"')) return
        expect(ours(readJson(text))).toEqual(JSON.parse(text))
        expect(ours(readJson5(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('accepts what JSON.parse accepts, and nothing else', () => {
    fc.assert(
      fc.property(noise, (text) => {
        if (hasRepeatedKey(text)) return
        expect(outcome(() => ours(readJson(text)))).toEqual(outcome(() => JSON.parse(text)))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('readJson5', () => {
  it('reads what the json5 package writes', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const text = JSON5.stringify(value, null, 2)
        if (text.includes('__proto__')) return
        expect(ours(readJson5(text))).toEqual(JSON5.parse(text))
      }),
    )
  })

  it('accepts what the json5 package accepts, and nothing else', () => {
    fc.assert(
      fc.property(noise, (text) => {
        if (hasRepeatedKey(text)) return
        expect(outcome(() => ours(readJson5(text)))).toEqual(outcome(() => JSON5.parse(text)))
      }),
      { numRuns: 3000 },
    )
  })

  it('reads an escape in a key without quotes, where such a key can have its character', () => {
    // ASCII and surrogates: of other letters the package knows fewer than the engine.
    const code = fc.oneof(fc.nat(0x7f), fc.integer({ min: 0xd800, max: 0xdfff }))
    const escape = code.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    const piece = fc.oneof(escape, fc.constantFrom('a', '_', String.raw`\u0041`, '1', '-', '\\'))
    const key = fc.array(piece, { minLength: 1, maxLength: 4 }).map((all) => all.join(''))
    fc.assert(
      fc.property(key, (name) => {
        const text = `{${name}:1}`
        expect(outcome(() => ours(readJson5(text)))).toEqual(outcome(() => JSON5.parse(text)))
      }),
      { numRuns: 3000 },
    )
  })

  it('knows the place of keys and values', () => {
    const { root } = readJson5('{\n  // one\n  jobs: [\n    {name: "a"},\n  ],\n}')
    if (root === null) throw new Error('no document')
    expect(placeOfKey(root, ['jobs'])).toEqual({ line: 3, column: 3 })
    expect(placeOfValue(root, ['jobs', 0, 'name'])).toEqual({ line: 4, column: 12 })
    expect(placeOfValue(root, ['jobs', 0, 'command'])).toEqual({ line: 4, column: 5 })
  })

  it('refuses what nests too deeply', () => {
    expect(readJson5('['.repeat(100_000)).problems).toHaveLength(1)
  })
})
