import { describe, expect, it } from 'vitest'
import type { Plan, PlannedJob } from '../../model/plan.ts'
import { planDot } from './plan-dot.ts'
import { planMermaid } from './plan-mermaid.ts'
import { planText } from './plan-text.ts'
import { plainStyle } from '../text/style.ts'

const job = (name: string, waits: readonly string[]): PlannedJob => ({
  name,
  command: `run ${name}`,
  depends_on: waits,
  resource_requirements: {
    cpus: 2,
    memory_bytes: 1024 ** 3,
    gpus: null,
    runtime_seconds: name === 'b' ? null : 90,
  },
  container: null,
})

const both = ['a', 'b"]']
const plan: Plan = {
  name: 'demo',
  jobs: [job('a', []), job('b"]', []), job('c', both), job('d', both), job('e', both)],
  stages: [both, ['c', 'd', 'e']],
  critical_path: ['a', 'c'],
  critical_path_seconds: 180,
  jobs_without_runtime: 1,
  peak: { basis: 'stages', jobs: 3, cpus: 6, memory_bytes: 3 * 1024 ** 3, gpus: 0 },
  totals: { jobs: 5, stages: 2, dependencies: 6, core_seconds: 900 },
  does_not_fit: [],
}

describe('planText', () => {
  it('is a table by stage, and what it comes to', () => {
    expect(planText(plan, plainStyle)).toBe(`demo: 5 jobs in 2 stages

Stage  Job  CPUs  Memory  GPUs  Runtime  Waits for     Command
    1  a       2  1.0 GB     –   1m 30s                run a
    1  b"]     2  1.0 GB     –   1m 30s                run b"]
    2  c       2  1.0 GB     –   1m 30s  a and 1 more  run c
    2  d       2  1.0 GB     –   1m 30s  a and 1 more  run d
    2  e       2  1.0 GB     –   1m 30s  a and 1 more  run e

Critical path: at least 3m 0s over 2 jobs: a → c (1 job without a runtime counted as 0 s)
Peak if everything ready ran at the same time (by stages): 3 jobs, 6 CPUs, 3.0 GB, 0 GPUs
Requested in total: at least 0.25 core-hours (cores × requested runtime)
`)
  })

  it('says how long the critical path takes, where all runtimes are known', () => {
    expect(planText({ ...plan, jobs_without_runtime: 0 }, plainStyle)).toContain(
      '\nCritical path: 3m 0s over 2 jobs: a → c\nPeak',
    )
  })

  it('says that runtimes are not given instead of 0 s', () => {
    const timeless = { ...plan, critical_path_seconds: null, jobs_without_runtime: 5 }
    expect(planText(timeless, plainStyle)).toContain(`
Critical path: 2 jobs: a → c (the longest chain; its time is not known: no runtimes are given)
Peak if everything`)
    expect(planText(timeless, plainStyle)).not.toContain('core-hours')
  })

  it('shows the containers of jobs where any has one', () => {
    const [first, ...others] = plan.jobs
    if (first === undefined) throw new Error('the plan has jobs')
    const contained = { ...first, container: { image: 'solver:2', runtime: 'podman' } as const }
    const text = planText({ ...plan, jobs: [contained, ...others] }, plainStyle)
    expect(text).toMatch(/Waits for +Container +Command\n/)
    expect(text).toMatch(/1m 30s +podman: solver:2 +run a\n/)
    expect(text).toMatch(/1m 30s +run b/)
  })

  it('cuts a long image at its front: its end is its name and tag', () => {
    const shown = (image: string, runtime: 'podman' | null): string => {
      const contained = plan.jobs
        .slice(0, 1)
        .map((one) => ({ ...one, container: { image, runtime } }))
      const text = planText({ ...plan, jobs: contained }, plainStyle)
      return /1m 30s +(.*?) +run a\n/.exec(text)?.[1] ?? ''
    }
    const image = 'registry.example.org:5000/department/group/project/solver:2.13'
    expect(shown(image, null)).toBe('…/department/group/project/solver:2.13')
    expect(shown(image, 'podman')).toBe('podman: …/group/project/solver:2.13')
    expect(shown(`registry.example.org/group/solver@sha256:${'0f'.repeat(32)}`, null)).toBe(
      '…/group/solver@sha256:0f0f0f0f0f0f…',
    )
    expect(shown(`${'long-'.repeat(10)}solver:2`, null)).toBe(
      `…${`${'long-'.repeat(10)}solver:2`.slice(-39)}`,
    )
  })

  it('says what does not fit, with names and numbers, and not without end', () => {
    const fits = [
      { job: 'a', resource: 'cpus', requested: 64, available: 2 },
      { job: 'a', resource: 'memory_bytes', requested: 2 ** 43, available: 3 * 2 ** 33 },
      { job: 'b"]', resource: 'gpus', requested: 1, available: 0 },
    ] as const
    expect(planText({ ...plan, does_not_fit: fits }, plainStyle))
      .toContain(`(cores × requested runtime)

2 jobs can never start on this machine:
  a asks for 64 CPUs, but the runner may use 2
  a asks for 8.0 TB of memory, but the runner may use 24.0 GB
  b"] asks for 1 GPU, but the runner may use 0
`)
    const many = Array.from({ length: 12 }, () => fits[0])
    expect(planText({ ...plan, does_not_fit: many }, plainStyle)).toMatch(/… and 2 more such/)
  })

  it('cuts long lists short', () => {
    const names = Array.from({ length: 500 }, (_, index) => `j${index}`)
    const long = { ...plan, jobs: names.map((name) => job(name, [])), stages: [names] }
    expect(planText(long, plainStyle)).toContain('… and 300 more jobs; --format json has all')
  })
})

describe('planDot', () => {
  it('gathers shared dependencies in one point and quotes names', () => {
    expect(planDot(plan)).toBe(`digraph "demo" {
  rankdir=LR
  node [shape=box]
  job0 [label="a", style=bold]
  job1 [label="b\\"]"]
  job2 [label="c", style=bold]
  job3 [label="d"]
  job4 [label="e"]
  gate0 [shape=point]
  job0 -> gate0
  job1 -> gate0
  gate0 -> job2
  gate0 -> job3
  gate0 -> job4
}
`)
  })
})

describe('planMermaid', () => {
  it('is a flowchart whose labels cannot break out', () => {
    const text = planMermaid(plan)
    expect(text).toContain('flowchart LR\n  job0["a"]\n  job1["b#34;#93;"]\n')
    expect(text).toContain('  gate0(( ))\n  job0 --> gate0\n')
    expect(text).toContain('  class job0,job2 critical\n')
  })
})
