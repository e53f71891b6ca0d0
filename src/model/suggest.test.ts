import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance } from './edit-distance.ts'
import { didYouMean, suggest } from './suggest.ts'

const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 8 })

describe('editDistance', () => {
  it.each([
    ['memory', 'memory', 0],
    ['memroy', 'memory', 1],
    ['memry', 'memory', 1],
    ['memoryy', 'memory', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('from %j to %j is %d', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance)
  })

  it('is zero only for equals, the same both ways, and no more than the longer word', () => {
    fc.assert(
      fc.property(words, words, (from, to) => {
        const distance = editDistance(from, to)
        expect(distance === 0).toBe(from === to)
        expect(editDistance(to, from)).toBe(distance)
        expect(distance).toBeLessThanOrEqual(Math.max(from.length, to.length))
        expect(distance).toBeGreaterThanOrEqual(Math.abs(from.length - to.length))
      }),
    )
  })
})

describe('suggest', () => {
  const flags = ['--memory', '--memory-limit', '--name', '--no-series', '--db']

  it.each([
    ['--memroy', '--memory'],
    ['--mem', '--memory'],
    ['--memorylimit', '--memory-limit'],
    ['--noseries', '--no-series'],
    ['--dd', '--db'],
    ['--nmae', '--name'],
  ])('takes %s for %s', (typed, meant) => {
    expect(suggest(typed, flags)).toBe(meant)
  })

  it.each(['--potato', '--x', '-z', ''])('has no guess for %j', (typed) => {
    expect(suggest(typed, flags)).toBeUndefined()
    expect(didYouMean(typed, flags)).toBe('')
  })

  it('answers one of the candidates or nothing', () => {
    fc.assert(
      fc.property(words, fc.array(words), (typed, candidates) => {
        const meant = suggest(typed, candidates)
        expect(meant === undefined || candidates.includes(meant)).toBe(true)
      }),
    )
  })
})
