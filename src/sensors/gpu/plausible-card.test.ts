import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { h200Card } from '../../../test/gpu/replay.ts'
import { dropImplausible } from './plausible-card.ts'

/** What each may be at most, by what cards there are; a driver may tell anything. */
const bounds = {
  utilizationPercent: 100,
  memoryUtilizationPercent: 100,
  memoryTotalBytes: 2 ** 45,
  memoryUsedBytes: 2 ** 45,
  temperatureCelsius: 250,
  powerWatts: 20_000,
  powerLimitWatts: 20_000,
  clockMegahertz: 20_000,
  mostClockMegahertz: 20_000,
} as const
/** No card is without memory. */
const leasts: Partial<Record<keyof typeof bounds, number>> = { memoryTotalBytes: 1 }
const keys = Object.keys(bounds) as (keyof typeof bounds)[]
const anything = fc.oneof(
  fc.double(),
  fc.constantFrom(0, 1, 100, 101, 2 ** 32 - 1, 2 ** 63, 2 ** 64, -1, Infinity),
  fc.integer({ min: 0, max: 100 }),
)

describe('what a card tells', () => {
  it('is kept where it can be, and is no number with a reason where it cannot', () => {
    const told = fc.record(Object.fromEntries(keys.map((key) => [key, anything])))
    fc.assert(
      fc.property(told, fc.array(anything, { maxLength: 4 }), (figures, memory) => {
        const card = Object.assign(h200Card(), figures)
        memory.forEach(
          (bytes, pid) => (card.processes.memoryBytes[card.processes.place(pid)] = bytes),
        )
        dropImplausible(card)
        const wrong = keys.filter((key) => {
          const [before = NaN, after] = [figures[key], card[key]]
          const isKept = Object.is(after, before) || after === before
          const isPossible = after >= (leasts[key] ?? 0) && after <= bounds[key]
          return Number.isNaN(after)
            ? card.oddities[key] === undefined && !Number.isNaN(before)
            : !isKept || !isPossible
        })
        expect(wrong).toEqual([])
        expect(card.memoryUsedBytes > card.memoryTotalBytes).toBe(false)
        const reasons = Object.values(card.oddities)
        const odd = /^the driver told what cannot be: \S+ \S/
        expect(reasons.filter((reason) => !odd.test(reason))).toEqual([])
      }),
    )
  })

  it('is not that it has no memory', () => {
    const card = Object.assign(h200Card(), { memoryTotalBytes: 0, memoryUsedBytes: 1e9 })
    dropImplausible(card)
    expect(card).toMatchObject({ memoryTotalBytes: Number.NaN, memoryUsedBytes: 1e9 })
    expect(card.oddities).toEqual({
      memoryTotalBytes: 'the driver told what cannot be: 0 bytes of memory',
    })
  })

  it('is whole where it is as cards are', () => {
    const card = Object.assign(h200Card(), { utilizationPercent: 100, powerWatts: 700 })
    dropImplausible(card)
    expect(card).toMatchObject({ utilizationPercent: 100, powerWatts: 700, oddities: {} })
  })
})
