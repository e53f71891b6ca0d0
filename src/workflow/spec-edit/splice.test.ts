import { describe, expect, it } from 'vitest'
import { applySplices } from './splice.ts'

describe('applySplices', () => {
  it('takes them in any order', () => {
    const splices = [
      { from: 3, to: 3, text: '!' },
      { from: 0, to: 1, text: 'xy' },
      { from: 2, to: 3, text: '' },
    ]
    expect(applySplices('abcd', splices)).toBe('xyb!d')
  })
})
