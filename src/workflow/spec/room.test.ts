import { describe, expect, it } from 'vitest'
import { Room } from './room.ts'

describe('Room', () => {
  it('is for a million things in all, however many items they are of', () => {
    const room = new Room()
    expect(room.take(400_000, 10)).toBeUndefined()
    expect(room.take(600_000, 10)).toBeUndefined()
    expect(room.take(1, 0)).toBe(
      'the parameters have 1 combinations in addition to the 1,000,000 before; a file may have at most 1,000,000',
    )
  })

  it('names more than there are numbers for', () => {
    expect(new Room().take(Infinity, 0)).toContain(
      '∞ combinations; a file may have at most 1,000,000',
    )
    expect(new Room().take(10 ** 7, 0)).toContain('have 10,000,000 combinations')
  })

  it('is for so much text', () => {
    const room = new Room()
    expect(room.take(1000, 100_000)).toBeUndefined()
    expect(room.take(100_000, 10_000)).toContain('1,100,000,000 characters')
  })
})
