import { describe, expect, it } from 'vitest'
import { timeLabel, timeTicks } from './time-label.ts'

describe('times beside an axis', () => {
  it('are as exact as they are apart', () => {
    expect(timeLabel(3920, 20)).toBe('1h 5m 20s')
    expect(timeLabel(3600, 60)).toBe('1h')
    expect(timeLabel(123.25, 0.25)).toBe('2m 3.3s')
    expect(timeLabel(0, 1)).toBe('0s')
    expect(timeLabel(59.97, 0.1)).toBe('1m')
  })

  it('are round, and within the range', () => {
    expect(timeTicks(3600, 3700, 5)).toEqual([3600, 3630, 3660, 3690])
    expect(timeTicks(7, 7, 5)).toEqual([7])
    expect(timeTicks(0.2, 0.6, 4)).toHaveLength(5)
  })
})
