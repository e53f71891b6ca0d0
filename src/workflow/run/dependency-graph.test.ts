import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { someJob } from '../../../test/contracts/workflows.ts'
import type { WorkflowJob } from '../../model/workflow.ts'
import { DependencyGraph } from './dependency-graph.ts'

const anyGraph = fc
  .array(fc.record({ weight: fc.nat(20), picks: fc.array(fc.nat(), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .chain((made) =>
    // In any order: a file may name a job before those it waits for.
    fc.shuffledSubarray([...made.keys()], { minLength: made.length }).map((order) => ({
      weights: order.map((index) => made[index]?.weight ?? 0),
      jobs: order.map((index) => {
        const picks = made[index]?.picks ?? []
        const dependsOn = index === 0 ? [] : picks.map((pick) => `j${pick % index}`)
        return someJob(`j${index}`, { dependsOn: [...new Set(dependsOn)] })
      }),
    })),
  )

/** Every path, one by one. */
function longest(jobs: readonly WorkflowJob[], weights: readonly number[], at: number): number {
  const name = jobs[at]?.name ?? ''
  const after = jobs.flatMap((job, position) => (job.dependsOn.includes(name) ? [position] : []))
  return (weights[at] ?? 0) + Math.max(0, ...after.map((next) => longest(jobs, weights, next)))
}

describe('the dependency graph', () => {
  it('finds the same longest paths as walking all of them', () => {
    fc.assert(
      fc.property(anyGraph, ({ jobs, weights }) => {
        const found = new DependencyGraph(jobs).longestPaths((position) => weights[position] ?? 0)
        expect([...found]).toEqual(jobs.map((_, position) => longest(jobs, weights, position)))
      }),
    )
  })

  it('has one group for all who wait for the same jobs', () => {
    const barrier = ['a', 'b']
    const graph = new DependencyGraph([
      someJob('a'),
      someJob('b'),
      someJob('c', { dependsOn: barrier }),
      someJob('d', { dependsOn: barrier }),
    ])
    const group = graph.waitsFor(2)
    expect([graph.waitsFor(0), graph.waitsFor(3)]).toEqual([-1, group])
    expect(graph.groupSize(group)).toBe(2)
    expect(graph.dependents(group)).toEqual([2, 3])
    expect([graph.groupsOf(0), graph.groupsOf(2)]).toEqual([[group], []])
  })
})
