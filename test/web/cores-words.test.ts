import { describe, expect, it } from 'vitest'
import { coresWords } from '../../web/parts/cores-words.ts'

describe('cores in a table', () => {
  it('are never said to be at least less than something', () => {
    expect(coresWords(0.004)).toBe('< 0.01')
    expect(coresWords(0.004, true)).toBe('0')
    expect(coresWords(0.0512, true)).toBe('0.051')
    expect(coresWords(0)).toBe('0')
  })
})
