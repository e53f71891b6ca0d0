import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { someNode } from '../../../test/contracts/nodes.ts'
import { someJob } from '../../../test/contracts/workflows.ts'
import { noRequirements } from '../../model/job.ts'
import type { WorkflowJob } from '../../model/workflow.ts'
import type { Capacity } from './capacity.ts'
import { Schedule, type Start } from './schedule.ts'

interface Case {
  readonly jobs: readonly WorkflowJob[]
  /** Whether each job succeeds once it runs. */
  readonly succeeds: readonly boolean[]
  /** Which of the running jobs ends next. */
  readonly turns: readonly number[]
  readonly done: ReadonlySet<number>
  readonly capacity: Capacity
}

const widest = someNode('a', { cpus: 4, memoryBytes: 8, gpus: ['0', '3', 'GPU-5'] })
const plenty: Capacity = { nodes: [widest], maxParallelJobs: 64 }
/** What has no room on one of them. */
const others = [
  someNode('b', { cpus: 2, memoryBytes: 3, gpus: ['0'] }),
  someNode('c', { cpus: 0.5, memoryBytes: 8, gpus: ['7', '8'] }),
]

const anyJob = fc.record({
  picks: fc.array(fc.nat(), { maxLength: 4 }),
  /** Whether it shares the list of the job before it, as jobs behind one barrier do. */
  shares: fc.boolean(),
  cpus: fc.constantFrom(null, 0.5, 1, 2, 4),
  memoryBytes: fc.constantFrom(null, 0, 3, 8),
  gpus: fc.constantFrom(null, 0, 1, 3),
  priority: fc.integer({ min: -1, max: 1 }),
  cancel: fc.boolean(),
  succeeds: fc.boolean(),
  done: fc.boolean(),
})

const anyCase: fc.Arbitrary<Case> = fc
  .record({
    made: fc.array(anyJob, { minLength: 1, maxLength: 30 }),
    turns: fc.array(fc.nat(), { minLength: 1, maxLength: 60 }),
    maxParallelJobs: fc.constantFrom(1, 2, 5, 64),
    resumed: fc.boolean(),
    nodes: fc.constantFrom([widest], [others[0] ?? widest, widest], [widest, ...others]),
  })
  .map(({ made, turns, maxParallelJobs, resumed, nodes }) => {
    const jobs: WorkflowJob[] = []
    for (const [position, one] of made.entries()) {
      const picked = position === 0 ? [] : one.picks.map((pick) => `job${pick % position}`)
      const before = jobs.at(-1)?.dependsOn
      const { cpus, memoryBytes, gpus, priority } = one
      jobs.push(
        someJob(`job${position}`, {
          dependsOn: one.shares && before !== undefined ? before : [...new Set(picked)],
          requirements: { ...noRequirements, cpus, memoryBytes, gpus },
          priority,
          cancelOnBlockingJobFailure: one.cancel,
        }),
      )
    }
    return {
      jobs,
      succeeds: made.map(({ succeeds }) => succeeds),
      turns,
      done: new Set(made.flatMap(({ done }, position) => (resumed && done ? [position] : []))),
      capacity: { nodes, maxParallelJobs },
    }
  })

const positionsOf = ({ jobs }: Case, position: number): number[] =>
  (jobs[position]?.dependsOn ?? []).map((name) => Number(name.slice(3)))

/** What must become of each job, by the rules and not by any schedule: dependencies come first in the list. */
function expectedEnds(made: Case): string[] {
  const ends: string[] = []
  made.jobs.forEach((job, position) => {
    const blocked = positionsOf(made, position).some((other) => ends[other] !== 'succeeded')
    if (made.done.has(position)) ends.push('succeeded')
    else if (blocked && job.cancelOnBlockingJobFailure) ends.push('cancelled')
    else ends.push(made.succeeds[position] === true ? 'succeeded' : 'failed')
  })
  return ends
}

/** Runs a schedule to its end; checks at each start that it was allowed. */
function play(made: Case): string[] {
  const { jobs, done, capacity } = made
  const schedule = new Schedule(jobs, 'none', capacity, (position) => done.has(position))
  const ends: string[] = []
  for (const position of done) ends[position] = 'succeeded'
  const running: Start[] = []
  for (let turn = 0; ; turn++) {
    for (let start = schedule.next(); start !== undefined; start = schedule.next()) {
      expect(ends[start.position], 'started twice, or after its end').toBeUndefined()
      for (const other of positionsOf(made, start.position))
        expect(ends[other], 'started before its dependency had ended').toBeDefined()
      running.push(start)
      expectWithin(made, running)
    }
    expect(schedule.running).toBe(running.length)
    const pick = made.turns[turn % made.turns.length] ?? 0
    const [ending] = running.splice(pick % Math.max(1, running.length), 1)
    if (ending === undefined) break
    const succeeded = made.succeeds[ending.position] === true
    ends[ending.position] = succeeded ? 'succeeded' : 'failed'
    for (const cancelled of schedule.ended(ending.position, succeeded)) {
      expect(ends[cancelled], 'cancelled after its end').toBeUndefined()
      ends[cancelled] = 'cancelled'
    }
  }
  expect([schedule.ready, schedule.blocked]).toEqual([0, 0])
  return ends
}

function expectWithin({ jobs, capacity }: Case, running: readonly Start[]): void {
  expect(running.length).toBeLessThanOrEqual(capacity.maxParallelJobs)
  capacity.nodes.forEach((node, index) => {
    const here = running.filter((start) => start.node === index)
    const asked = here.map(({ position }) => jobs[position]?.requirements ?? noRequirements)
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
    expect(sum(asked.map(({ cpus }) => cpus ?? 1))).toBeLessThanOrEqual(node.cpus)
    expect(sum(asked.map(({ memoryBytes }) => memoryBytes ?? 0))).toBeLessThanOrEqual(
      node.memoryBytes,
    )
    const gpus = here.flatMap((start) => start.gpus)
    expect(new Set(gpus).size, 'a GPU was handed out twice').toBe(gpus.length)
    expect(gpus.every((gpu) => node.gpus.includes(gpu))).toBe(true)
    here.forEach((start, at) => expect(start.gpus.length).toBe(asked[at]?.gpus ?? 0))
  })
  expect(running.every(({ node }) => capacity.nodes[node] !== undefined)).toBe(true)
}

const oneCpu: Capacity = { ...plenty, nodes: [{ ...widest, cpus: 1 }] }

describe('a schedule', () => {
  it('runs every job once, after its dependencies and within what there is', () => {
    fc.assert(
      fc.property(anyCase, (made) => {
        expect(play(made)).toEqual(expectedEnds(made))
      }),
      { numRuns: 500 },
    )
  })

  it('starts by priority, then by the longest way that is left, then as the file has them', () => {
    const order = startOrder([
      someJob('alone'),
      someJob('first of two'),
      someJob('second of two', { dependsOn: ['first of two'] }),
      someJob('also alone'),
      someJob('urgent', { priority: 5 }),
    ])
    expect(order).toEqual(['urgent', 'first of two', 'alone', 'second of two', 'also alone'])
  })

  it('makes a large job wait no longer than for 32 small ones that came after it', () => {
    const small = Array.from({ length: 500 }, (_, index) => someJob(`small ${index}`))
    const large = someJob('large', { requirements: { ...noRequirements, cpus: 4 } })
    const order = startOrder([...small.slice(0, 10), large, ...small.slice(10)], plenty)
    const at = order.indexOf('large')
    expect(at).toBeGreaterThanOrEqual(10)
    expect(at).toBeLessThanOrEqual(10 + 32)
    expect(order).toHaveLength(501)
  })

  it('takes out all that has not started', () => {
    const jobs = [someJob('a'), someJob('b'), someJob('c', { dependsOn: ['a'] })]
    const schedule = new Schedule(jobs, 'none', oneCpu, () => false)
    expect(schedule.next()?.position).toBe(0)
    expect(schedule.cancelRest().toSorted((a, b) => a - b)).toEqual([1, 2])
    expect(schedule.ended(0, true)).toEqual([])
    expect(schedule.next()).toBeUndefined()
    expect([schedule.ready, schedule.blocked]).toEqual([0, 0])
  })

  it('holds what a job of an earlier run takes, until it has ended or may start again', () => {
    const jobs = [someJob('a'), someJob('b'), someJob('c', { dependsOn: ['a'] })]
    const held = [{ position: 0, node: 0, gpus: [] }]
    const schedule = new Schedule(jobs, 'none', oneCpu, () => false, held)
    expect([schedule.running, schedule.ready, schedule.blocked]).toEqual([1, 1, 1])
    expect(schedule.next()).toBeUndefined()
    schedule.putBack(0)
    expect([schedule.running, schedule.ready, schedule.blocked]).toEqual([0, 2, 1])
    expect(schedule.next()?.position).toBe(0)
    schedule.ended(0, true)
    expect(schedule.next()?.position).toBe(1)
    expect([schedule.running, schedule.ready, schedule.blocked]).toEqual([1, 1, 0])
  })

  it('tells once who has become ready', () => {
    const jobs = [someJob('a'), someJob('b', { dependsOn: ['a'] })]
    const schedule = new Schedule(jobs, 'none', plenty, () => false)
    expect(schedule.takeNewlyReady()).toEqual([0])
    schedule.next()
    expect(schedule.takeNewlyReady()).toEqual([])
    schedule.ended(0, true)
    expect(schedule.takeNewlyReady()).toEqual([1])
  })

  it('copes with 200,000 jobs behind one', () => {
    const dependsOn = ['first']
    const many = Array.from({ length: 200_000 }, (_, index) => someJob(`${index}`, { dependsOn }))
    const schedule = new Schedule([someJob('first'), ...many], 'none', plenty, () => false)
    expect(schedule.next()?.position).toBe(0)
    expect(schedule.ended(0, false)).toHaveLength(200_000)
  })
})

/** Names in the order in which they start; the job that has run longest ends first. */
function startOrder(jobs: readonly WorkflowJob[], capacity: Capacity = oneCpu): string[] {
  const schedule = new Schedule(jobs, 'none', capacity, () => false)
  const order: string[] = []
  const running: number[] = []
  do {
    for (let start = schedule.next(); start !== undefined; start = schedule.next()) {
      order.push(jobs[start.position]?.name ?? '')
      running.push(start.position)
    }
    const ending = running.shift()
    if (ending !== undefined) schedule.ended(ending, true)
  } while (running.length > 0 || schedule.ready > 0)
  return order
}
