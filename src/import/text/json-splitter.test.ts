import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textOf } from './decoded.ts'
import { JsonSplitter, startsJson } from './json-splitter.ts'
import { LineSplitter } from './line-splitter.ts'
import type { RawRecord, Splitter } from './raw-record.ts'

/** The records of a text that comes in chunks of these sizes. */
function split(splitter: Splitter, text: string, sizes: readonly number[]): RawRecord[] {
  const bytes = new TextEncoder().encode(text)
  const found: RawRecord[] = []
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    found.push(...splitter.push(bytes.subarray(at, at + size)))
    at += size
  }
  return [...found, ...splitter.end()]
}

const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 })

describe('a file of JSON objects', () => {
  it('is cut into them, however they are written and wherever chunks end', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue())
    const indent = fc.constantFrom(0, 2)
    const between = fc.constantFrom('', '\n', ' \n\t', '\u001e')
    fc.assert(
      fc.property(fc.array(fc.tuple(object, indent, between)), sizes, (objects, chunks) => {
        const text = objects
          .map(([one, space, gap]) => JSON.stringify(one, null, space) + gap)
          .join('')
        const found = split(new JsonSplitter(), `\ufeff${text}`, chunks)
        expect(found.map((record) => JSON.parse(textOf(record)) as unknown)).toEqual(
          objects.map(([one]) => JSON.parse(JSON.stringify(one)) as unknown),
        )
      }),
    )
  })

  it('loses only the record that is cut off, and tells the lines', () => {
    const good = '{"meta":{},"data":[1]}'
    const text = `${good}\n{"meta":{"a":"\n${good}\nrubbish {"meta"\n{\n "meta": 1\n}\n{"meta`
    for (const size of [1, 7, 1000]) {
      const found = split(new JsonSplitter(), text, [size])
      expect(found.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 8])
      expect(found.map((record) => ('why' in record ? record.why : 'good'))).toEqual([
        'good',
        'it is cut off: the next record begins before it ends',
        'good',
        'it is not a JSON object',
        'good',
        'it is cut off: the file ends in the middle of it',
      ])
    }
  })

  it('is told from CSV by how it begins', () => {
    const starts = (text: string): boolean => startsJson(new TextEncoder().encode(text))
    expect(['{', ' \n{"a"', '\ufeff{'].map(starts)).toEqual([true, true, true])
    expect(['v=0.7.0,{', '', '[{'].map(starts)).toEqual([false, false, false])
  })
})

describe('a file of lines', () => {
  it('is cut into them, without empty ones and with either end', () => {
    const line = fc.string().filter((text) => !/[\r\n]/.test(text))
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), sizes, (lines, end, chunks) => {
        const found = split(new LineSplitter(), lines.join(end), chunks)
        const wanted = lines.flatMap((text, at) => (text === '' ? [] : [[at + 1, text]]))
        const told = found.map((record) => [
          record.line,
          'bytes' in record
            ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(record.bytes)
            : '',
        ])
        expect(told).toEqual(wanted)
      }),
    )
  })
})
