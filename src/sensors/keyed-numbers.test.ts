import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes } from '../../test/fixtures/procfs/fixture.ts'
import { KeyedNumbers } from './keyed-numbers.ts'

function find(content: string, ...keys: string[]): number[] {
  const lines = new KeyedNumbers(keys)
  lines.find(bytes(content), content.length)
  return keys.map((key) => lines.number(key))
}

describe('KeyedNumbers', () => {
  it('finds numbers by whole keys', () => {
    expect(find('user 1\nuser_usec 2\n', 'user', 'user_usec')).toEqual([1, 2])
    expect(find('user_usec 2\nuser 1\n', 'user_usec', 'user')).toEqual([2, 1])
  })

  it('finds keys at the start of a line only, and the first of them', () => {
    expect(find('x Rss: 1\nRss: 2\nRss: 3\n', 'Rss:')).toEqual([2])
  })

  it('finds keys in any order', () => {
    const keys = ['rchar:', 'wchar:', 'syscr:', 'read_bytes:']
    fc.assert(
      fc.property(fc.shuffledSubarray(keys), (order) => {
        const content = order.map((key) => `other 7\n${key} ${key.length}\n`).join('')
        const told = keys.map((key) => (order.includes(key) ? key.length : Number.NaN))
        expect(find(content, ...keys)).toEqual(told)
      }),
    )
  })

  it('forgets what the last file said', () => {
    const lines = new KeyedNumbers(['a'])
    lines.find(bytes('a 1\n'), 4)
    lines.find(bytes('b 1\n'), 4)
    expect(lines.number('a')).toBeNaN()
  })

  it.each(['a\n', 'a x\n', 'a 12', 'a -1\n', 'a1\n'])('finds no number in %j', (content) => {
    expect(find(content, 'a')).toEqual([Number.NaN])
  })
})
