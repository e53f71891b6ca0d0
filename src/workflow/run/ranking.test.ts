import { describe, expect, it } from 'vitest'
import { someJob } from '../../../test/contracts/workflows.ts'
import { noRequirements, type Requirements } from '../../model/job.ts'
import type { JobSortMethod, WorkflowJob } from '../../model/workflow.ts'
import { DependencyGraph } from './dependency-graph.ts'
import { rankJobs } from './ranking.ts'

function order(jobs: readonly WorkflowJob[], method: JobSortMethod): string[] {
  const ranks = rankJobs(jobs, new DependencyGraph(jobs), method)
  return [...jobs.keys()]
    .toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0))
    .map((position) => jobs[position]?.name ?? '')
}

const asking = (name: string, requirements: Partial<Requirements>, priority = 0): WorkflowJob =>
  someJob(name, { requirements: { ...noRequirements, ...requirements }, priority })

describe('the rank of jobs', () => {
  const jobs = [
    asking('plain', {}),
    asking('long', { runtimeSeconds: 900 }),
    asking('large', { memoryBytes: 2 ** 33, runtimeSeconds: 30 }),
    asking('gpu', { gpus: 1, runtimeSeconds: 1 }),
    asking('urgent', {}, 1),
    asking('last', { gpus: 8 }, -1),
  ]

  it.each([
    ['none', ['urgent', 'long', 'plain', 'large', 'gpu', 'last']],
    ['gpus_runtime_memory', ['urgent', 'gpu', 'long', 'large', 'plain', 'last']],
    ['gpus_memory_runtime', ['urgent', 'gpu', 'large', 'long', 'plain', 'last']],
  ] as const)('by %s', (method, expected) => {
    expect(order(jobs, method)).toEqual(expected)
  })

  it('follows the longest way still to go, by requested runtime, or else by number of jobs', () => {
    const chain = [
      asking('short', { runtimeSeconds: 100 }),
      someJob('a'),
      someJob('b', { dependsOn: ['a'] }),
      someJob('c', { dependsOn: ['b'] }),
    ]
    expect(order(chain, 'none')).toEqual(['a', 'b', 'short', 'c'])
  })
})
