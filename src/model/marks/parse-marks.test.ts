import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markLimits } from './mark.ts'
import { parseMarkLine } from './mark-line.ts'
import { parseMarks } from './parse-marks.ts'

const life = { startedAt: 1000, endedAt: 1100 }
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const nothing = { step: null, epoch: null, phase: null, message: null }

describe('parseMarkLine', () => {
  it.each([
    ['{"step":50,"epoch":1,"phase":"train"}', { step: 50, epoch: 1, phase: 'train' }],
    ['step=50 epoch=1 phase=train', { step: 50, epoch: 1, phase: 'train' }],
    ['  phase=train   message="two words"', { phase: 'train', message: 'two words' }],
    ['{"step":"7","loss":0.3}', { step: 7 }],
    ['phase=3 time=1050.5', { phase: '3', time: 1050.5 }],
    ['{"phase":"a","message":null}', { phase: 'a' }],
  ])('reads %s', (line, told) => {
    expect(parseMarkLine(line)).toEqual({ ...nothing, time: null, ...told })
  })

  it.each([
    ['hello', 'it is neither JSON nor key=value words'],
    ['step=1 and more', 'it is neither JSON nor key=value words'],
    ['{"step":', 'it is not valid JSON'],
    ['{"step":-1}', 'its step is not a number'],
    ['step=many', 'its step is not a number'],
    ['{"epoch":true}', 'its epoch is not a number'],
    ['{"phase":{"a":1}}', 'its phase is not a text'],
    ['{"loss":1}', 'it has no step, epoch, phase or message'],
    ['{"__proto__":{"step":1}}', 'it has no step, epoch, phase or message'],
    ['time=12', 'it has no step, epoch, phase or message'],
  ])('says what is wrong with %s', (line, trouble) => {
    expect(parseMarkLine(line)).toBe(trouble)
  })

  it('never throws, and bounds what it answers', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (line) => {
        const mark = parseMarkLine(line)
        const { phase, message } = typeof mark === 'string' ? nothing : mark
        expect((phase ?? '').length).toBeLessThanOrEqual(markLimits.phaseLength)
        expect((message ?? '').isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('parseMarks', () => {
  it('gives lines without a time the moment at which they were seen', () => {
    const text = 'step=1\nstep=2\nstep=3 time=1002\nstep=4\nstep=5'
    const sightings = [
      { bytes: 6, at: 1010 },
      { bytes: 14, at: 1020 },
      { bytes: 40, at: 1050 },
    ]
    const { marks, trouble } = parseMarks(bytesOf(text), sightings, life)
    expect(trouble).toBeNull()
    expect(marks.map(({ step, elapsedSeconds }) => [step, elapsedSeconds])).toEqual([
      [3, 2],
      [1, 10],
      [2, 20],
      [4, 50],
      [5, 100],
    ])
  })

  it('keeps times within the life of the job', () => {
    const { marks } = parseMarks(bytesOf('step=1 time=1\nstep=2 time=9e9\n'), [], life)
    expect(marks.map(({ timestamp }) => timestamp)).toEqual([1000, 1100])
  })

  it('counts and names lines that it cannot use, and keeps the others', () => {
    const text = [
      'nonsense',
      'step=1',
      `message=${'x'.repeat(9000)}`,
      '',
      '\u0000',
      '{"a"',
      'step=2',
    ].join('\n')
    const bytes = Buffer.concat([bytesOf(text), Buffer.from([10, 0xff, 0xfe, 10])])
    const { marks, trouble } = parseMarks(bytes, [], life)
    expect(marks.map(({ step }) => step)).toEqual([1, 2])
    expect(trouble).toBe(
      '5 lines not understood (line 1: it is neither JSON nor key=value words; line 3: it is longer than 4096 bytes; line 5: it is neither JSON nor key=value words; …)',
    )
  })

  it('keeps no more than so many, and tells', () => {
    const { marks, trouble } = parseMarks(
      bytesOf('step=1\n'.repeat(markLimits.marks + 7)),
      [],
      life,
    )
    expect(marks).toHaveLength(markLimits.marks)
    expect(trouble).toBe('7 more than the 20,000 that are kept')
  })

  it.each([
    ['what is not JSON', '{\n', 'it is not valid JSON'],
    ['what is not UTF-8', '\u00ff\n', 'it is not UTF-8'],
    ['what is neither', 'x\n', 'it is neither JSON nor key=value words'],
  ])('reads so many lines of %s and no more, and names three', (_, line, why) => {
    const bytes = Buffer.alloc(markLimits.fileBytes, line, 'latin1')
    const before = process.cpuUsage()
    const { marks, trouble } = parseMarks(bytes, [], life)
    const { user, system } = process.cpuUsage(before)
    expect(marks).toEqual([])
    expect(trouble).toBe(
      `50,000 lines not understood (line 1: ${why}; line 2: ${why}; line 3: ${why}; …); only the first 50,000 lines and 8,388,608 bytes were read`,
    )
    // All four million lines took 3 to 30 s.
    expect((user + system) / 1e6).toBeLessThan(2)
  })

  it('tells where it stopped to read, and only then', () => {
    const blank = '\n'.repeat(markLimits.lines - 1)
    expect(parseMarks(bytesOf(`${blank}step=1\n`), [], life)).toMatchObject({
      marks: [{ step: 1 }],
      trouble: null,
    })
    expect(parseMarks(bytesOf(`${blank}step=1\nstep=2`), [], life)).toMatchObject({
      marks: [{ step: 1 }],
      trouble: 'only the first 50,000 lines were read',
    })
  })

  it('never throws on any bytes, and answers in order of time', () => {
    const lines = fc.array(
      fc.oneof(fc.constant('step=1 time=1050'), fc.constant('epoch=2'), fc.string()),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), lines, (noise, sound) => {
        const { marks } = parseMarks(Buffer.concat([bytesOf(sound.join('\n')), noise]), [], life)
        const times = marks.map(({ timestamp }) => timestamp)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
      }),
    )
  })
})
