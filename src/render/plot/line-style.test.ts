import { describe, expect, it } from 'vitest'
import { lineStyle } from './line-style.ts'

describe('lineStyle', () => {
  it('gives the first 147 lines styles of their own, the first seven by colour alone', () => {
    const styles = Array.from({ length: 147 }, (_, index) => JSON.stringify(lineStyle(index)))
    expect(new Set(styles).size).toBe(147)
    expect(lineStyle(147)).toEqual(lineStyle(0))
    expect(new Set(Array.from({ length: 7 }, (_, index) => lineStyle(index).colour)).size).toBe(7)
    expect(lineStyle(6)).toMatchObject({ dash: 'solid', symbol: null })
  })
})
