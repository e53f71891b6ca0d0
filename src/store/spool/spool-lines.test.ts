import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyEnd, anyStart } from '../../../test/contracts/any-attempt.ts'
import { someEnd, someSamples, someStart } from '../../../test/contracts/attempts.ts'
import { sampleWidth } from '../../model/sample.ts'
import { endLine, parseSpool, samplesLine, startLine } from './spool-lines.ts'

const rows = someSamples(3, { swap_bytes: [Number.NaN, 7, Infinity] })

describe('a file of the spool', () => {
  it('gives back any attempt as it was', () => {
    fc.assert(
      fc.property(anyStart, anyEnd, (anyOne, end) => {
        const start = { ...anyOne, taskId: 'abc' }
        expect(parseSpool(startLine(start) + endLine(end))).toEqual({
          kind: 'attempt',
          attempt: { start, rows: new Float64Array(), count: 0, end },
        })
      }),
    )
  })

  it('gives back samples exactly, those that were not measured too', () => {
    const text =
      startLine(someStart('a')) +
      samplesLine(rows, 2) +
      samplesLine(rows.subarray(2 * sampleWidth), 1)
    expect(parseSpool(text)).toMatchObject({ attempt: { rows, count: 3, end: null } })
  })

  it('takes only so many rows of the buffer as it is told', () => {
    const text = startLine(someStart('a')) + samplesLine(rows, 1)
    expect(parseSpool(text)).toMatchObject({ attempt: { count: 1 } })
  })

  it('cut off anywhere, loses at most what stood in the line that was cut', () => {
    const lines = [startLine(someStart('a')), samplesLine(rows, 3), endLine(someEnd())]
    const whole = lines.join('')
    fc.assert(
      fc.property(fc.nat(whole.length), (length) => {
        const [first = '', second = ''] = lines
        const attempt = {
          start: someStart('a'),
          rows: length >= first.length + second.length ? rows : new Float64Array(),
          count: length >= first.length + second.length ? 3 : 0,
          end: length === whole.length ? someEnd() : null,
        }
        expect(parseSpool(whole.slice(0, length))).toEqual(
          length < first.length ? { kind: 'unfinished' } : { kind: 'attempt', attempt },
        )
      }),
    )
  })

  it('loses no more than a line that a full disk cut short', () => {
    const text =
      startLine(someStart('a')) +
      samplesLine(rows, 1).slice(0, 40) +
      '\n' +
      samplesLine(rows, 2) +
      endLine(someEnd())
    expect(parseSpool(text)).toMatchObject({ attempt: { count: 2, end: someEnd() } })
  })

  it('calls a figure that was no number not measured', () => {
    const usage = { ...someEnd().usage, readBytes: { value: Infinity, basis: 'io' } }
    const found = parseSpool(startLine(someStart('a')) + endLine(someEnd({ usage })))
    expect(found).toMatchObject({
      attempt: { end: { usage: { readBytes: { value: null, why: 'io gave no number' } } } },
    })
  })

  it('of a build with fewer columns lacks the others', () => {
    const heading = startLine(someStart('a')).replace(/"sampleWidth":\d+/, '"sampleWidth":2')
    const bytes = Buffer.from(new Float64Array([1, 2, 3, 4]).buffer).toString('base64')
    const found = parseSpool(`${heading}{"samples":"${bytes}"}\n`)
    if (found.kind !== 'attempt') throw new Error(found.kind)
    const { rows: read, count } = found.attempt
    expect(count).toBe(2)
    expect([read[0], read[1], read[2], read[sampleWidth], read[sampleWidth + 1]]).toEqual([
      1,
      2,
      NaN,
      3,
      4,
    ])
  })

  it('tells one of a newer build and garbage apart', () => {
    expect(parseSpool('{"spool":2,"other":true}\n')).toEqual({ kind: 'newer' })
    const garbage = [
      '\n',
      'x\n',
      '{}\n',
      '[]\n',
      'null\n',
      '{"spool":1}\n',
      '{"spool":1,"sampleWidth":0}\n',
    ]
    for (const text of garbage) expect(parseSpool(text)).toEqual({ kind: 'garbage' })
  })

  it('of any other text is no attempt', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseSpool(text).kind).toMatch(/unfinished|garbage/)
        expect(parseSpool(startLine(someStart('a')) + text).kind).toMatch(/attempt|garbage/)
      }),
    )
  })
})
