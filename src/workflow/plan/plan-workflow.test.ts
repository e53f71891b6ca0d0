import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../model/plan.ts'
import { readSpec } from '../spec/read-spec.ts'
import { planWorkflow } from './plan-workflow.ts'

function planOf(jobs: readonly object[]): Plan {
  const result = readSpec(JSON.stringify({ name: 'w', jobs }), 'w.json')
  if (result.kind === 'invalid') throw new Error(result.errors[0]?.message)
  return planWorkflow(result.workflow)
}

const job = (name: string, minutes: number, after: readonly string[] = [], cpus = 1): object => ({
  name,
  command: `run ${name}`,
  depends_on: after,
  resource_requirements: { cpus, memory: `${cpus}g`, runtime: `PT${minutes}M` },
})

describe('planWorkflow', () => {
  it('has jobs, stages, the critical path and the peak of a diamond', () => {
    const plan = planOf([
      job('first', 10),
      job('short', 5, ['first'], 4),
      job('long', 30, ['first'], 2),
      job('last', 1, ['short', 'long']),
    ])
    expect(plan.stages).toEqual([['first'], ['short', 'long'], ['last']])
    expect(plan.critical_path).toEqual(['first', 'long', 'last'])
    expect(plan.critical_path_seconds).toBe(41 * 60)
    const memory = 6 * 1024 ** 3
    expect(plan.peak).toEqual({
      basis: 'runtimes',
      jobs: 2,
      cpus: 6,
      memory_bytes: memory,
      gpus: 0,
    })
    expect(plan.totals).toEqual({ jobs: 4, stages: 3, dependencies: 4, core_seconds: 91 * 60 })
    expect(plan.jobs[3]).toEqual({
      name: 'last',
      command: 'run last',
      depends_on: ['short', 'long'],
      resource_requirements: {
        cpus: 1,
        memory_bytes: 1024 ** 3,
        gpus: null,
        runtime_seconds: 60,
      },
      container: null,
    })
  })

  it('knows no time where no runtime is given, and takes the chain with the most jobs', () => {
    const bare = (name: string, ...after: readonly string[]): object => ({
      name,
      command: 'x',
      depends_on: after,
    })
    const plan = planOf([bare('alone'), bare('a'), bare('b', 'a'), bare('c', 'b'), bare('d', 'a')])
    expect(plan.critical_path).toEqual(['a', 'b', 'c'])
    expect(plan.critical_path_seconds).toBeNull()
    expect(plan.jobs_without_runtime).toBe(5)
    // What is known decides; of chains that take equally long as far as is known, the one with the most jobs is taken.
    const partly = planOf([job('quick', 5), job('a', 5), bare('b', 'a'), bare('c', 'b')])
    expect(partly.critical_path).toEqual(['a', 'b', 'c'])
    expect(partly.critical_path_seconds).toBe(300)
    expect(partly.jobs_without_runtime).toBe(2)
    const beside = planOf([job('quick', 5), bare('a'), bare('b', 'a'), bare('c', 'b')])
    expect(beside.critical_path).toEqual(['quick'])
    const joined = planOf([job('quick', 5), job('a', 5), bare('b', 'a'), bare('end', 'quick', 'b')])
    expect(joined.critical_path).toEqual(['a', 'b', 'end'])
  })

  it('names the image of a job in a container, and its runtime where the file has one', () => {
    const inside = (container: object): object => ({ ...job('a', 5), container })
    const containerOf = (container: object) => planOf([inside(container)]).jobs[0]?.container
    expect(containerOf({ image: 'python:3.13' })).toEqual({ image: 'python:3.13', runtime: null })
    expect(containerOf({ image: 'solver', runtime: 'podman' })).toEqual({
      image: 'solver',
      runtime: 'podman',
    })
  })

  it('sees jobs of different stages overlap, where all have runtimes', () => {
    const plan = planOf([job('long', 60), job('a', 5), job('b', 5, ['a']), job('c', 5, ['b'])])
    expect(plan.peak).toMatchObject({ basis: 'runtimes', jobs: 2 })
  })

  it('goes by stages, and says so, where one has none', () => {
    const plan = planOf([job('a', 5), job('b', 5), { name: 'c', command: 'x', depends_on: ['a'] }])
    expect(plan.peak).toMatchObject({ basis: 'stages', jobs: 2, cpus: 2 })
    expect(plan.jobs_without_runtime).toBe(1)
  })

  it('agrees with brute force on random workflows', () => {
    const specs = fc.array(
      fc.record({ minutes: fc.integer({ min: 1, max: 9 }), after: fc.array(fc.nat(30)) }),
      { minLength: 1, maxLength: 9 },
    )
    fc.assert(
      fc.property(specs, (all) => {
        const before = all.map(({ after }, at) => [
          ...new Set(after.map((each) => each % (at + 1))),
        ])
        const waits = before.map((each, at) => each.filter((other) => other !== at))
        const finish: number[] = []
        all.forEach(({ minutes }, at) => {
          finish[at] = minutes + Math.max(0, ...(waits[at] ?? []).map((each) => finish[each] ?? 0))
        })
        const plan = planOf(
          all.map(({ minutes }, at) =>
            job(
              `j${at}`,
              minutes,
              waits[at]?.map((each) => `j${each}`),
            ),
          ),
        )
        expect(plan.critical_path_seconds).toBe(60 * Math.max(...finish))
        const minutesOf = (name: string): number => all[Number(name.slice(1))]?.minutes ?? 0
        const total = plan.critical_path.reduce((sum, name) => sum + minutesOf(name), 0)
        expect(total * 60).toBe(plan.critical_path_seconds)
        const overlapping = finish.map(
          (_, at) => finish.filter((end, other) => isRunning(at, other, end)).length,
        )
        function isRunning(at: number, other: number, end: number): boolean {
          const moment = (finish[at] ?? 0) - (all[at]?.minutes ?? 0)
          return end - (all[other]?.minutes ?? 0) <= moment && moment < end
        }
        expect(plan.peak.jobs).toBe(Math.max(...overlapping))
      }),
    )
  })

  it('plans 100,000 jobs behind barriers without making 99 million dependencies', () => {
    const jobs = Array.from({ length: 100 }, (_, stage) => ({
      name: `s${stage}_{i}`,
      command: 'x',
      parameters: { i: '1:1000' },
      ...(stage === 0 ? {} : { depends_on_regexes: [`^s${stage - 1}_`] }),
    }))
    const plan = planOf(jobs)
    expect(plan.totals).toMatchObject({ jobs: 100_000, stages: 100, dependencies: 99_000_000 })
    expect(new Set(plan.jobs.map(({ depends_on: list }) => list)).size).toBe(100)
  })
})
