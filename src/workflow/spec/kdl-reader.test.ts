import { describe, expect, it } from 'vitest'
import { readKdl } from './kdl-reader.ts'
import { placeOfKey, placeOfValue, plainValue } from './spec-node.ts'

function read(text: string): unknown {
  const { root, problems } = readKdl(text)
  expect(problems).toEqual([])
  return root === null ? undefined : plainValue(root)
}

describe('readKdl', () => {
  it.each([
    ['job "a" { depends_on "b" "c" }', { depends_on: ['b', 'c'] }],
    ['job "a" { depends_on_job "b"; depends_on_job "c" }', { depends_on: ['b', 'c'] }],
    ['job "a" depends_on_job="b"', { depends_on: ['b'] }],
    ['job "a" { depends_on { - "b"; - "c" } }', { depends_on: ['b', 'c'] }],
    ['jobs { job "a" { input_file "f" } }', { input_files: ['f'] }],
    ['jobs "a" { input_files "f" }', { input_files: ['f'] }],
    ['jobs { - "a" priority=1 }', { priority: 1 }],
    ['job { name "a"; env A="1" { B 2 } }', { env: { A: '1', B: 2 } }],
    ['job "a" { parameters { i "1:3"; j 1 2 } }', { parameters: { i: '1:3', j: [1, 2] } }],
  ])('%s', (text, rest) => {
    expect(read(text)).toEqual({ jobs: [{ name: 'a', ...rest }] })
  })

  it('passes on what it does not know, and refuses what has no meaning where it stands', () => {
    expect(read('banana { x 1 }')).toEqual({ banana: { x: 1 } })
    expect(readKdl('banana 1 { x 1 }').problems).toHaveLength(1)
  })

  it('reads version 1 too', () => {
    const text = 'name "w"\njob "a" {\n  supports_termination true\n  command r"x\\d"\n}\n'
    expect(read(text)).toEqual({
      name: 'w',
      jobs: [{ name: 'a', supports_termination: true, command: 'x\\d' }],
    })
  })

  it('reads any value as data, and JSON where it says so', () => {
    const text = 'user_data "u" { data { a 1; b { - 1; - { c 2 } }; d (json)"[null]" } }'
    expect(read(text)).toMatchObject({
      user_data: [{ name: 'u', data: { a: 1, b: [1, { c: 2 }], d: [null] } }],
    })
  })

  it('knows the place of nodes and values', () => {
    const { root } = readKdl('name "w"\njob "a" {\n  command "x"\n}\n')
    if (root === null) throw new Error('no document')
    expect(placeOfKey(root, ['jobs', 0, 'command'])).toEqual({ line: 3, column: 3 })
    expect(placeOfValue(root, ['jobs', 0, 'command'])).toEqual({ line: 3, column: 11 })
    expect(placeOfValue(root, ['jobs', 0])).toEqual({ line: 2, column: 1 })
  })
})
