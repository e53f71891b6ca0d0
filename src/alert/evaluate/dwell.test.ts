import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Dwell, type Change, type DwellTimes, type Verdict } from './dwell.ts'

interface Seen {
  readonly at: number
  readonly verdict: Verdict
}

/** The same said slowly: look back over everything that was seen. */
function meant(seen: readonly Seen[], times: DwellTimes): Change[] {
  let firing = false
  let from = 0
  return seen.map(({ at }, index) => {
    const wanted = firing ? 'well' : 'wrong'
    let since: number | undefined
    for (let back = index; back >= from; back--) {
      const each = seen[back]
      if (each === undefined || each.verdict !== wanted) break
      since = each.at
      const before = seen[back - 1]
      if (before !== undefined && each.at - before.at > times.longestGapSeconds) break
    }
    if (since === undefined || at - since < (firing ? times.clearForSeconds : times.forSeconds))
      return null
    firing = !firing
    from = index + 1
    return firing ? 'fires' : 'resolves'
  })
}

const verdict = fc.constantFrom<Verdict>('wrong', 'well', 'between')
const series = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 50 }), verdict), { maxLength: 80 })
  .map((steps) => {
    let at = 0
    return steps.map(([step, each]): Seen => ({ at: (at += step), verdict: each }))
  })
const times = fc.record({
  forSeconds: fc.nat(60),
  clearForSeconds: fc.nat(60),
  longestGapSeconds: fc.integer({ min: 5, max: 60 }),
})

const changes = (seen: readonly Seen[], of: DwellTimes): Change[] => {
  const dwell = new Dwell(of)
  return seen.map(({ verdict: each, at }) => dwell.take(each, at))
}

describe('dwelling', () => {
  it('agrees with a model that looks back', () => {
    fc.assert(
      fc.property(series, times, (seen, of) => {
        expect(changes(seen, of)).toEqual(meant(seen, of))
      }),
      { numRuns: 1000 },
    )
  })

  it('fires once and resolves once, in turns, whatever comes', () => {
    fc.assert(
      fc.property(series, times, (seen, of) => {
        const dwell = new Dwell(of)
        const told = seen.flatMap(({ verdict: each, at }) => dwell.take(each, at) ?? [])
        const wasFiring = dwell.isFiring
        expect(dwell.end()).toBe(wasFiring ? 'resolves' : null)
        expect(dwell.end()).toBeNull()
        told.forEach((change, index) => expect(change).toBe(index % 2 ? 'resolves' : 'fires'))
      }),
    )
  })

  it('is not moved by times that stand still or go back', () => {
    const dwell = new Dwell({ forSeconds: 10, clearForSeconds: 0, longestGapSeconds: 30 })
    expect(dwell.take('wrong', 100)).toBeNull()
    expect(dwell.take('well', 100)).toBeNull()
    expect(dwell.take('well', 50)).toBeNull()
    expect(dwell.take('wrong', Number.NaN)).toBeNull()
    expect(dwell.take('wrong', 110)).toBe('fires')
  })

  it('begins anew after a gap: a machine that slept saw nothing', () => {
    const dwell = new Dwell({ forSeconds: 60, clearForSeconds: 0, longestGapSeconds: 30 })
    dwell.take('wrong', 0)
    expect(dwell.take('wrong', 3600)).toBeNull()
    expect(dwell.take('wrong', 3629)).toBeNull()
    expect(dwell.take('wrong', 3659)).toBeNull()
    expect(dwell.take('wrong', 3660)).toBe('fires')
  })
})
