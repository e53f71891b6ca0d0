import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyEnd, anyMarks, anyStart } from '../../../test/contracts/any-attempt.ts'
import { someEnd, someSamples, someStart } from '../../../test/contracts/attempts.ts'
import { asSpool1, asSpool2, sealed } from '../../../test/contracts/older-spool.ts'
import { sampleWidth } from '../../../test/synthetic/sample-width.ts'
import { sampleIndex } from '../../model/sample.ts'
import type { Usage } from '../../model/usage.ts'
import {
  deviceLine,
  endLine,
  samplesLine as numbersLine,
  startLine as lineOfStart,
} from './spool-lines.ts'
import { parseSpool } from './spool-text.ts'
import { sampleNames } from '../../model/sample.ts'
import { firstColumns } from '../series/first-columns.ts'
import type { AttemptStart } from '../ledger/store.ts'

const rows = someSamples(3, { swap_bytes: [Number.NaN, 7, 8] })
const parse = (text: string) => parseSpool(Buffer.from(text))

const startLine = (start: AttemptStart) => lineOfStart(start, sampleNames)
const samplesLine = (some: Float64Array, count: number) => numbersLine(some, count * sampleWidth)

/** What stands in a file besides the start and the end where there are no samples. */
const noRows = {
  samplesBefore: 0,
  deviceRowsBefore: 0,
  columns: sampleNames,
  rows: new Float64Array(),
  count: 0,
  devices: [],
}

describe('a file of the spool', () => {
  it('gives back any attempt as it was', () => {
    fc.assert(
      fc.property(anyStart, anyEnd, (anyOne, end) => {
        const start = { ...anyOne, taskId: 'abc' }
        expect(parse(startLine(start) + endLine(end))).toEqual({
          kind: 'attempt',
          attempt: { ...noRows, start, end },
          damage: null,
        })
      }),
    )
  })

  it('gives back any marks, and refuses what cannot be one', () => {
    fc.assert(
      fc.property(anyMarks, (marks) => {
        const lines = startLine(someStart('a')) + endLine({ ...someEnd(), marks })
        expect(parse(lines)).toMatchObject({ attempt: { end: { marks } } })
      }),
      { numRuns: 30 },
    )
    const marks = [{ step: 'many' }] as never
    const lines = startLine(someStart('a')) + endLine({ ...someEnd(), marks })
    expect(parse(lines)).toMatchObject({ damage: 'line 2 is damaged' })
  })

  it('gives back samples exactly, those that were not measured too', () => {
    const text =
      startLine(someStart('a')) +
      samplesLine(rows, 2) +
      samplesLine(rows.subarray(2 * sampleWidth), 1)
    expect(parse(text)).toMatchObject({ attempt: { rows, count: 3, end: null } })
  })

  it('takes only so many rows of the buffer as it is told', () => {
    const text = startLine(someStart('a')) + samplesLine(rows, 1)
    expect(parse(text)).toMatchObject({ attempt: { count: 1 } })
  })

  it('cut off anywhere, loses at most what stood in the line that was cut', () => {
    const lines = [startLine(someStart('a')), samplesLine(rows, 3), endLine(someEnd())]
    const whole = lines.join('')
    fc.assert(
      fc.property(fc.nat(whole.length), (length) => {
        const [first = '', second = ''] = lines
        const attempt = {
          ...noRows,
          start: someStart('a'),
          rows: length >= first.length + second.length ? rows : new Float64Array(),
          count: length >= first.length + second.length ? 3 : 0,
          end: length === whole.length ? someEnd() : null,
        }
        expect(parse(whole.slice(0, length))).toEqual(
          length < first.length
            ? { kind: 'unfinished' }
            : { kind: 'attempt', attempt, damage: null },
        )
      }),
    )
  })

  it('of version 1 has lines without a sum, and may have one that a full disk cut short', () => {
    const text =
      startLine(someStart('a')) +
      samplesLine(rows, 1).slice(0, 40) +
      '\n' +
      samplesLine(rows, 2) +
      endLine(someEnd())
    expect(parse(asSpool1(text))).toMatchObject({
      attempt: { count: 2, end: someEnd() },
      damage: null,
    })
  })

  it('of version 2 has columns by their number, and is read by their names', () => {
    const numbers = Float64Array.from({ length: 2 * firstColumns.length }, (_, index) => index)
    const start = lineOfStart(someStart('a'), firstColumns)
    const text = start + numbersLine(numbers, numbers.length) + endLine(someEnd())
    const found = parse(asSpool2(text))
    expect(found).toEqual(parse(text))
    expect(found).toMatchObject({ attempt: { columns: firstColumns, rows: numbers, count: 2 } })
  })

  it('gives back rows of devices, each with columns of its own', () => {
    const gpu = {
      kind: 'gpu',
      id: 'GPU-"0"',
      columns: ['timestamp', 'elapsed_seconds', 'memory_bytes'],
      rows: new Float64Array([1, 2, NaN, 3, 4, 5]),
      count: 2,
    }
    const disk = { ...gpu, kind: 'disk', id: '/dev/sda', rows: gpu.rows.slice(0, 3), count: 1 }
    const lines = [gpu, disk].map(deviceLine).join('')
    const found = parse(startLine(someStart('a')) + lines + samplesLine(rows, 1))
    expect(found).toMatchObject({ attempt: { count: 1, devices: [gpu, disk] }, damage: null })
  })

  it.each([
    ['a kind that is none', /"kind":"gpu"/, '"kind":"GPU;"'],
    ['no id', /"id":"0"/, '"id":""'],
    ['a column that has no place in a table', /"memory_bytes"/, '"memory bytes"'],
    ['a column twice', /"memory_bytes"/, '"timestamp"'],
    ['too few numbers', /"columns":\[/, '"columns":["one_more",'],
  ])('of a device with %s is damaged', (_, pattern, instead) => {
    const columns = ['timestamp', 'memory_bytes']
    const line = deviceLine({
      kind: 'gpu',
      id: '0',
      columns,
      rows: Float64Array.of(1, 2),
      count: 1,
    })
    expect(line).toMatch(pattern)
    const body = line.replace(/,"sum":"\w+"\}\n/, '')
    const start = startLine(someStart('a'))
    expect(parse(start + sealed(body))).toMatchObject({ attempt: { devices: [{ count: 1 }] } })
    expect(parse(start + sealed(body.replace(pattern, instead)))).toMatchObject({
      attempt: { devices: [] },
      damage: 'line 2 is damaged',
    })
  })

  it('calls a sample that cannot have been measured not measured', () => {
    const odd = someSamples(1, { swap_bytes: [-1], read_bytes: [Infinity] })
    const found = parse(startLine(someStart('a')) + samplesLine(odd, 1))
    if (found.kind !== 'attempt') throw new Error(found.kind)
    const { swap_bytes: swap, read_bytes: read, write_bytes: write } = sampleIndex
    const [row] = [found.attempt.rows]
    expect([row[swap], row[read], row[write]]).toEqual([NaN, NaN, odd[write]])
  })

  it('calls a figure that was no number not measured', () => {
    const usage = { ...someEnd().usage, readBytes: { value: Infinity, basis: 'io' } }
    const found = parse(startLine(someStart('a')) + endLine(someEnd({ usage })))
    expect(found).toMatchObject({
      attempt: {
        end: { usage: { readBytes: { value: null, why: 'no usable value came from: io' } } },
      },
    })
  })

  it('of a build with fewer columns lacks the others', () => {
    const heading = asSpool1(startLine(someStart('a'))).replace(
      /"sampleWidth":\d+/,
      '"sampleWidth":2',
    )
    const bytes = Buffer.from(new Float64Array([1, 2, 3, 4]).buffer).toString('base64')
    const found = parse(`${heading}{"samples":"${bytes}"}\n`)
    if (found.kind !== 'attempt') throw new Error(found.kind)
    const { columns, rows: read, count } = found.attempt
    expect(columns).toEqual(['timestamp', 'elapsed_seconds'])
    expect([...read, count]).toEqual([1, 2, 3, 4, 2])
  })

  it('of a newer build is told by its sealed first line', () => {
    const newer = sealed('{"spool":4,"other":true')
    expect(parse(newer)).toEqual({ kind: 'newer' })
    expect(parse(newer.replace('true', 'null'))).toMatchObject({ kind: 'broken' })
  })

  it.each([
    '\n',
    'x\n',
    '{}\n',
    '[]\n',
    'null\n',
    '{"spool":1}\n',
    '{"spool":99}\n',
    '{"spool":1,"sampleWidth":0}\n',
  ])('is not %j', (text) => {
    expect(parse(text).kind).toBe('broken')
  })

  it('of any other text is no attempt', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parse(text).kind).toMatch(/unfinished|broken/)
        expect(parse(startLine(someStart('a')) + text).kind).toBe('attempt')
      }),
    )
  })

  const whole = startLine(someStart('a')) + samplesLine(rows, 3) + endLine(someEnd())

  it('with any bit of its lines flipped gives nothing of the line that was hit', () => {
    const original = parse(whole)
    if (original.kind !== 'attempt') throw new Error(original.kind)
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(7), (at, bit) => {
        const bytes = Buffer.from(whole)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
        const found = parseSpool(bytes)
        if (found.kind === 'broken') return
        if (found.kind !== 'attempt') throw new Error(found.kind)
        const { start, count, end, rows: read } = found.attempt
        expect(start).toEqual(original.attempt.start)
        expect(read).toEqual(original.attempt.rows.subarray(0, count * sampleWidth))
        // A flipped end of the last line makes it one that was cut off.
        expect(end).toBeNull()
        expect(found.damage !== null || at === whole.length - 1).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('says from which line on it is damaged, and gives what stands before', () => {
    const [first = '', second = ''] = whole.split('\n')
    expect(parse(`${first}\n${second.replace('a', 'b')}\n`)).toMatchObject({
      kind: 'attempt',
      attempt: { count: 0, end: null },
      damage: 'line 2 is damaged',
    })
    expect(parse(`${whole}${second}\n`)).toMatchObject({ damage: 'line 4 is damaged' })
  })

  const bad: readonly [string, RegExp, string][] = [
    ['a time before 1970', /"startedAt":\d+/, '"startedAt":-5'],
    ['a time beyond all calendars', /"startedAt":\d+/, '"startedAt":1e999'],
    ['a time in words', /"startedAt":\d+/, '"startedAt":"now"'],
    ['no time', /"startedAt":\d+/, '"startedAt":null'],
    ['a command that is no list', /"command":\[[^\]]*\]/, '"command":"python3"'],
    ['a command of numbers', /"command":\[[^\]]*\]/, '"command":[1,2]'],
    ['parameters that are a list', /"params":\{[^}]*\}/, '"params":[1]'],
    [
      'parameters too deep to write',
      /"params":\{[^}]*\}/,
      `"params":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    ],
    ['an owner without a pid', /"pid":\d+/, '"qid":1'],
    ['an owner of half a pid', /"pid":\d+/, '"pid":1.5'],
    ['negative memory', /"memoryBytes":\d+/, '"memoryBytes":-1'],
    ['an endless name', /"name":"train"/, `"name":"${'x'.repeat(2 ** 24 + 1)}"`],
    ['another prototype', /"owner":\{/, '"__proto__":{"owner":1},"omner":{'],
    ['no samples to count', /"sampleWidth":\d+/, '"sampleWidth":1e9'],
  ]
  it.each(bad)('of version 1 with %s is broken', (_, pattern, instead) => {
    const text = asSpool1(startLine(someStart('a')))
    expect(parse(text).kind).toBe('attempt')
    expect(text).toMatch(pattern)
    expect(parse(text.replace(pattern, instead)).kind).toBe('broken')
  })

  const badEnds: readonly [string, RegExp, string][] = [
    ['an unknown status', /"status":"success"/, '"status":"splendid"'],
    ['a fractional exit code', /"exitCode":0/, '"exitCode":0.5'],
    ['an exit code beyond a byte', /"exitCode":0/, '"exitCode":256'],
    ['a negative duration', /"durationSeconds":[\d.]+/, '"durationSeconds":-1'],
    ['an infinite figure', /"value":3.25/, '"value":1e999'],
    ['a negative figure', /"value":3.25/, '"value":-3.25'],
    ['a figure in words', /"value":3.25/, '"value":"much"'],
    ['stragglers of no kind', /"stragglers":\[\]/, '"stragglers":[7]'],
    ['usage that is a list', /"usage":\{/, '"usage":[],"was":{'],
    ['neither samples nor an end', /^\{"end"/, '{"and"'],
  ]
  it.each(badEnds)('of version 1 with %s is damaged', (_, pattern, instead) => {
    const start = asSpool1(startLine(someStart('a')))
    const end = asSpool1(endLine(someEnd()))
    expect(end).toMatch(pattern)
    expect(parse(start + end)).toMatchObject({ damage: null })
    expect(parse(start + end.replace(pattern, instead))).toMatchObject({
      attempt: { end: null },
      damage: 'line 2 is damaged',
    })
  })

  it.each([
    ['half a row', new Float64Array(sampleWidth - 1)],
    ['a negative number', someSamples(1, { rss_bytes: [-1] })],
    ['an infinite number', someSamples(1, { rss_bytes: [Infinity] })],
    ['a time beyond all calendars', someSamples(1, { timestamp: [1e300] })],
  ])('of version 1 with %s among its samples is damaged', (_, numbers) => {
    const samples = Buffer.from(numbers.buffer).toString('base64')
    const text = `${asSpool1(startLine(someStart('a')))}${JSON.stringify({ samples })}\n`
    expect(parse(text)).toMatchObject({ attempt: { count: 0 }, damage: 'line 2 is damaged' })
  })

  it('of a build that knew fewer figures lacks the others', () => {
    const { readBytes, ...usage } = someEnd().usage
    const end = asSpool1(endLine({ ...someEnd(), usage: usage as Usage }))
    expect(readBytes.value).toBeNull()
    expect(parse(asSpool1(startLine(someStart('a'))) + end)).toMatchObject({
      attempt: {
        end: {
          usage: {
            readBytes: { value: null, why: 'not recorded by the version that measured it' },
          },
        },
      },
    })
  })
})
