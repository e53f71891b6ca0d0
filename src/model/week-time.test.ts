import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHours, parseWeekdays } from './week-time.ts'

describe('parseWeekdays', () => {
  it.each([
    ['Tuesday', [1]],
    ['tue', [1]],
    ['tuesdays', [1]],
    ['weds', undefined],
    ['thur', [3]],
    ['mon-thu', [0, 1, 2, 3]],
    ['fri-mon', [4, 5, 6, 0]],
    ['weekdays', [0, 1, 2, 3, 4]],
    ['weekend', [5, 6]],
    ['s', undefined],
    ['', undefined],
    ['mon-tue-wed', undefined],
    ['day', undefined],
  ])('%j', (text, found) => expect(parseWeekdays(text)).toEqual(found))
})

describe('parseHours', () => {
  it.each([
    ['8-12', [8, 9, 10, 11]],
    ['08:00 - 12:00', [8, 9, 10, 11]],
    ['22-2', [22, 23, 0, 1]],
    ['20-24', [20, 21, 22, 23]],
    ['9', [9]],
    ['8-8', undefined],
    ['24-2', undefined],
    ['8:30-12', undefined],
    ['25', undefined],
    ['', undefined],
  ])('%j', (text, found) => expect(parseHours(text)).toEqual(found))

  it('has every hour of the day in a stretch and in the one that completes it', () => {
    const hour = fc.integer({ min: 0, max: 23 })
    fc.assert(
      fc.property(hour, hour, (from, to) => {
        fc.pre(from !== to)
        const both = [
          ...(parseHours(`${from}-${to}`) ?? []),
          ...(parseHours(`${to}-${from}`) ?? []),
        ]
        expect(both.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, at) => at))
      }),
      { seed: 13 },
    )
  })
})
