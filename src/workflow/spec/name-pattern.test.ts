import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NameIndex } from './name-index.ts'
import { compilePattern } from './name-pattern.ts'

describe('compilePattern', () => {
  it('takes linear time for what takes JavaScript for ever', () => {
    const names = ['a'.repeat(20_000), `${'a'.repeat(20_000)}!`]
    const started = performance.now()
    expect(new NameIndex(names).matching('^(a+)+$b')).toEqual([])
    expect(new NameIndex(names).matching('^(a+)+$')).toEqual([0])
    expect(new NameIndex(names).matching('^(a|a)*(a|a)*$')).toEqual([0])
    expect(performance.now() - started).toBeLessThan(60_000)
  })

  it.each([
    ['^train_', 'start'],
    [String.raw`^train_0\.1$`, 'whole'],
    ['train', 'expression'],
    ['^(a|b)', 'expression'],
    // As Rust and Python write them.
    ['(?P<fold>[0-9]+)', 'expression'],
    ['(?i)TRAIN', 'expression'],
    [String.raw`\btrain_\d+\b`, 'expression'],
    [String.raw`a\-b\_c\/d`, 'expression'],
    [String.raw`(\(\?=)[(?!]`, 'expression'],
    ['(?=a)', 'wrong'],
    [String.raw`(a)\1`, 'wrong'],
    ['('.repeat(9000), 'wrong'],
    ['a'.repeat(20_000), 'wrong'],
    ['(a|'.repeat(3000), 'wrong'],
  ] as const)('%.30s is of the kind %s', (pattern, kind) => {
    expect(compilePattern(pattern).kind).toBe(kind)
  })

  it('answers any text with a pattern or a reason, and soon', () => {
    const piece = fc.constantFrom(
      ...Array.from('ab_.*+?^$()[]{}|\\-,:=!<>P1d'),
      '{9}',
      '(?',
      '\\1',
      '\ud800',
    )
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, fc.string({ maxLength: 20 }), (pattern, name) => {
        const compiled = compilePattern(pattern)
        const found = new NameIndex([name]).matching(pattern)
        const isReason = 'fault' in found && found.fault !== ''
        expect(isReason ? 'wrong' : Array.isArray(found)).toBe(
          compiled.kind === 'wrong' ? 'wrong' : true,
        )
      }),
      { numRuns: 2000, seed: 7 },
    )
  })

  it('says that patterns for every job would be compared with every name too often', () => {
    const names = Array.from({ length: 100 }, (_, i) => `n${i}`)
    const index = new NameIndex(names, 1000)
    for (let i = 0; i < 10; i++) expect(index.matching(`n${i}$`)).toContain(i)
    expect(index.matching('x$')).toMatchObject({
      fault: expect.stringContaining('1,000 comparisons'),
    })
    expect(index.matching('^n7$')).toEqual([7])
  })
})
