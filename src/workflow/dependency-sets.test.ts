import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dependencySets, topologicalOrder } from './dependency-sets.ts'

const graph = fc.integer({ min: 1, max: 12 }).chain((jobs) =>
  fc.array(fc.uniqueArray(fc.nat(jobs - 1), { maxLength: 4 }), {
    minLength: jobs,
    maxLength: jobs,
  }),
)

/** The longest way to a job, or −1 if a cycle is on one of them. */
function bruteLevel(waits: readonly (readonly number[])[], job: number, trail: number[]): number {
  if (trail.includes(job)) return -1
  const before = (waits[job] ?? []).map((next) => bruteLevel(waits, next, [...trail, job]))
  return before.includes(-1) ? -1 : Math.max(-1, ...before) + 1
}

describe('topologicalOrder', () => {
  it('has the level of every job, and jobs after what they wait for', () => {
    fc.assert(
      fc.property(graph, (dependencies) => {
        const { order, level } = topologicalOrder(dependencySets(dependencies))
        const expected = dependencies.map((_, job) => bruteLevel(dependencies, job, []))
        expect([...level]).toEqual(expected)
        expect(new Set(order).size).toBe(expected.filter((each) => each >= 0).length)
        const at = new Map(order.map((job, position) => [job, position]))
        for (const job of order) {
          for (const before of dependencies[job] ?? []) {
            expect(at.get(before)).toBeLessThan(at.get(job) ?? -1)
          }
        }
      }),
    )
  })

  it('looks at a list that jobs share once', () => {
    const first = Array.from({ length: 1000 }, (_, job) => job)
    const none: number[] = []
    const dependencies = [...first.map(() => none), ...first.map(() => first)]
    const sets = dependencySets(dependencies)
    expect(sets.sets).toHaveLength(2)
    expect(topologicalOrder(sets).level.at(-1)).toBe(1)
  })
})
