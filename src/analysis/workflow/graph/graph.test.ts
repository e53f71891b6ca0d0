import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keptApart } from './apart.ts'
import { groupJobs, type GraphJob } from './job-groups.ts'
import { knots } from './knots.ts'
import { layeredLayout, type Size } from './layered-layout.ts'
import type { Edge } from './layers.ts'
import { crossings } from './crossings.ts'

/** Any graph without circles, with nodes of any size. */
const anyGraph = fc
  .array(
    fc.record({
      width: fc.integer({ min: 10, max: 300 }),
      height: fc.integer({ min: 10, max: 200 }),
    }),
    {
      maxLength: 40,
    },
  )
  .chain((sizes) =>
    fc.record({
      sizes: fc.constant(sizes),
      edges:
        sizes.length < 2
          ? fc.constant([])
          : fc.uniqueArray(
              fc
                .tuple(fc.nat(sizes.length - 1), fc.nat(sizes.length - 1))
                .filter(([a, b]) => a !== b)
                .map(([a, b]): Edge => [Math.min(a, b), Math.max(a, b)]),
              { selector: String, maxLength: 120 },
            ),
    }),
  )

const gaps = { layer: 40, node: 12 }

describe('a graph in layers', () => {
  it('has no node on another, and every edge goes to the right', () => {
    fc.assert(
      fc.property(anyGraph, ({ sizes, edges }) => {
        const { places, ways, width, height } = layeredLayout(sizes, edges, gaps)
        const boxes = places.map(({ x, y }, index) => ({ x, y, ...(sizes[index] as Size) }))
        for (const [index, a] of boxes.entries()) {
          expect(Math.min(a.x, a.y)).toBeGreaterThanOrEqual(-1e-6)
          expect(a.x + a.width).toBeLessThanOrEqual(width + 1e-6)
          expect(a.y + a.height).toBeLessThanOrEqual(height + 1e-6)
          for (const b of boxes.slice(0, index)) {
            const isBeside = a.x + a.width <= b.x + 1e-6 || b.x + b.width <= a.x + 1e-6
            const isAbove = a.y + a.height <= b.y + 1e-6 || b.y + b.height <= a.y + 1e-6
            expect(isBeside || isAbove).toBe(true)
          }
        }
        for (const [index, way] of ways.entries()) {
          const [from, to] = edges[index] ?? [0, 0]
          const [a, b] = [boxes[from], boxes[to]]
          expect(way[0]?.x).toBeCloseTo((a?.x ?? 0) + (a?.width ?? 0))
          expect(way.at(-1)?.x).toBeCloseTo(b?.x ?? 0)
          for (const [step, point] of way.slice(1).entries())
            expect(point.x).toBeGreaterThanOrEqual((way[step]?.x ?? 0) - 1e-6)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('has no long edge across a node', () => {
    fc.assert(
      fc.property(anyGraph, ({ sizes, edges }) => {
        const { places, ways } = layeredLayout(sizes, edges, gaps)
        for (const way of ways)
          // Between layers edges bend; within a layer they go straight past its nodes.
          for (let step = 1; step + 2 < way.length; step += 2)
            for (const [index, { x, y }] of places.entries()) {
              const size = sizes[index] as Size
              const [from, to] = [way[step], way[step + 1]]
              if (from === undefined || to === undefined) continue
              const isInColumn = from.x < x + size.width && to.x > x
              expect(isInColumn && from.y > y && from.y < y + size.height).toBe(false)
            }
      }),
      { numRuns: 200 },
    )
  })

  it('is always drawn alike', () => {
    fc.assert(
      fc.property(anyGraph, ({ sizes, edges }) => {
        expect(layeredLayout(sizes, edges, gaps)).toEqual(layeredLayout(sizes, edges, gaps))
      }),
      { numRuns: 20 },
    )
  })

  it('puts a fan in the middle, and nothing is nothing', () => {
    const size = { width: 100, height: 20 }
    const { places } = layeredLayout(
      [size, size, size, size],
      [
        [0, 1],
        [0, 2],
        [0, 3],
      ],
      gaps,
    )
    expect(places[0]?.y).toBeCloseTo(places[2]?.y ?? 0)
    expect(layeredLayout([], [], gaps)).toEqual({ width: 0, height: 0, places: [], ways: [] })
  })
})

describe('crossings', () => {
  it('are counted as one would by looking at each pair', () => {
    const anyLayers = fc.record({
      ends: fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 30 }),
    })
    fc.assert(
      fc.property(anyLayers, ({ ends }) => {
        const above = Array.from({ length: 8 }, (_, node) => node)
        const after = above.map((node) =>
          ends.filter(([from]) => from === node).map(([, to]) => to + 8),
        )
        const slow = ends.flatMap(([a, b], index) =>
          ends.slice(index + 1).filter(([c, d]) => (a - c) * (b - d) < 0),
        ).length
        expect(crossings([above, above.map((node) => node + 8)], after)).toBe(slow)
      }),
    )
  })
})

describe('places that are kept apart', () => {
  it('stay where they are wanted where there is room, and are never nearer than their gaps', () => {
    const anyWanted = fc.array(fc.tuple(fc.integer({ min: -500, max: 500 }), fc.nat(50)))
    fc.assert(
      fc.property(anyWanted, (given) => {
        const wanted = given.map(([place]) => place)
        const apart = given.map(([, gap]) => gap)
        const kept = keptApart(wanted, apart)
        for (const [index, place] of kept.slice(1).entries())
          expect(place - (kept[index] ?? 0)).toBeGreaterThanOrEqual((apart[index + 1] ?? 0) - 1e-9)
        expect(
          keptApart(kept, apart).every((each, i) => Math.abs(each - (kept[i] ?? 0)) < 1e-6),
        ).toBe(true)
        // Together they are moved by nothing.
        const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0)
        expect(sum(kept)).toBeCloseTo(sum(wanted), 4)
      }),
    )
  })
})

const job = (name: string, template: string, ...dependsOn: string[]): GraphJob => ({
  name,
  template,
  dependsOn,
})

describe('groups of jobs', () => {
  it('are the jobs of one template, and wait for each other as these do', () => {
    const { groups, groupOf, edges } = groupJobs([
      job('fetch', 'fetch'),
      job('t_1', 't_{i}', 'fetch'),
      job('t_2', 't_{i}', 'fetch'),
      job('end', 'end', 't_1', 't_2', 'fetch'),
    ])
    expect(groups).toEqual([
      { names: ['fetch'], jobs: [0] },
      { names: ['t_{i}'], jobs: [1, 2] },
      { names: ['end'], jobs: [3] },
    ])
    expect(groupOf).toEqual([0, 1, 1, 2])
    expect(edges).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ])
  })

  it('of templates that wait for each other in turn are one', () => {
    const { groups, edges } = groupJobs([
      job('a_1', 'a_{i}'),
      job('b_1', 'b_{i}', 'a_1'),
      job('a_2', 'a_{i}', 'b_1'),
      job('end', 'end', 'a_2'),
    ])
    expect(groups.map(({ names }) => names)).toEqual([['a_{i}', 'b_{i}'], ['end']])
    expect(edges).toEqual([[0, 1]])
  })

  it('of a file without parameters are few all the same', () => {
    const jobs = Array.from({ length: 1000 }, (_, index) =>
      job(`step_${index}_x`, `step_${index}_x`),
    )
    expect(groupJobs(jobs).groups).toHaveLength(1)
  })

  it('hold every job once, and edges between them go in no circle, whatever waits for what', () => {
    const anyJobs = fc.array(fc.tuple(fc.nat(5), fc.array(fc.nat(60), { maxLength: 4 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(anyJobs, (given) => {
        const jobs = given.map(([template, before], index) =>
          job(
            `j${index}`,
            `t${template}`,
            ...before.filter((each) => each < index).map((each) => `j${each}`),
          ),
        )
        const { groups, groupOf, edges } = groupJobs(jobs)
        expect(groups.flatMap((group) => group.jobs).toSorted((a, b) => a - b)).toEqual([
          ...jobs.keys(),
        ])
        expect(jobs.every((_, index) => groups[groupOf[index] ?? -1]?.jobs.includes(index))).toBe(
          true,
        )
        const neighbours = groups.map((_, node) =>
          edges.filter(([from]) => from === node).map(([, to]) => to),
        )
        expect(knots(neighbours).every(({ length }) => length === 1)).toBe(true)
      }),
    )
  })
})
