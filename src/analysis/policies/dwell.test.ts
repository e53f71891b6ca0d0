import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Dwell } from './dwell.ts'

interface Seen {
  readonly fromMs: number
  readonly toMs: number
  readonly holds: boolean | null
}

/** Rounds of a second to a minute, some with a gap before them. */
const series = fc
  .array(
    fc.record({
      gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400_000 })),
      spanMs: fc.integer({ min: 1, max: 60_000 }),
      holds: fc.constantFrom(true, true, true, false, null),
    }),
    { maxLength: 60 },
  )
  .map((steps) => {
    let at = 1_000_000
    return steps.map(({ gapMs, spanMs, holds }): Seen => {
      const fromMs = at + gapMs
      at = fromMs + spanMs
      return { fromMs, toMs: at, holds }
    })
  })

/** The same said slowly: look back over all that was seen, until it was not so or too long was not seen. */
function heldMs(seen: readonly Seen[]): number {
  const known = seen.filter(({ holds }) => holds !== null)
  let sum = 0
  for (let at = known.length - 1; at >= 0; at--) {
    const one = known[at]
    if (one === undefined || one.holds === false) break
    sum += one.toMs - one.fromMs
    const before = known[at - 1]
    const longest = Math.max(30_000, 3 * (one.toMs - one.fromMs))
    if (before !== undefined && one.fromMs - before.toMs > longest) break
  }
  return sum
}

describe('how long something has been so', () => {
  it('agrees with a model that looks back: no gap counts', () => {
    fc.assert(
      fc.property(series, (seen) => {
        const dwell = new Dwell()
        for (const [index, { holds, ...stretch }] of seen.entries()) {
          dwell.add(holds, stretch)
          expect(dwell.heldMs).toBe(heldMs(seen.slice(0, index + 1)))
        }
      }),
      { numRuns: 100 },
    )
  })

  it('is exact at its edge', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 86_400_000 }),
        fc.integer({ min: 1, max: 500 }),
        (forMs, rounds) => {
          const dwell = new Dwell()
          const span = Math.ceil(forMs / rounds)
          let reachedMs: number | undefined
          for (let at = 0; at < rounds && reachedMs === undefined; at++) {
            dwell.add(true, { fromMs: at * span, toMs: (at + 1) * span })
            if (dwell.hasHeldFor(forMs / 1e3)) reachedMs = (at + 1) * span
          }
          // In the first round that ends at the time or after it, and in none before.
          expect(reachedMs).toBe(Math.ceil(forMs / span) * span)
        },
      ),
    )
  })

  it('is not reached by nothing, even where no time is asked for', () => {
    const dwell = new Dwell()
    expect(dwell.hasHeldFor(0)).toBe(false)
    dwell.add(true, { fromMs: 0, toMs: 1 })
    expect(dwell.hasHeldFor(0)).toBe(true)
  })
})
