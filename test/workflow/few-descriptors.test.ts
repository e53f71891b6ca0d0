import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { flow, results, type ListedResult } from './flow.ts'

describe('a workflow that may open few files', () => {
  it.each([
    ['logs and processes to watch', ''],
    ['cgroups of their own', 'resource_requirements: { memory: 200m, runtime: PT1M },'],
  ])('runs fewer jobs at the same time, and all of them: %s', async (_, requirements) => {
    using box = sandbox()
    const spec = flow(
      box,
      `resource_monitor: { enforce: [memory] }
jobs:
  - { name: "j{i}", ${requirements} command: "sleep 0.2 & sleep 0.2; echo {i}", parameters: { i: "1:40" } }
`,
    )
    const run = `ulimit -n 56; exec $JOBMETER run ${spec} --cpus 100 --memory 100g --format json`
    const { code, stdout } = await box.shell(run)
    expect(JSON.parse(stdout)).toMatchObject({ status_counts: { success: 40 } })
    expect(code).toBe(0)
    const told = await results(box)
    expect(told.filter(isWrong)).toEqual([])
  })

  it.each([
    ['nothing', ''],
    ['three files', 'exec 4</dev/null 5</dev/null 6</dev/null; '],
  ])('needs as many as it says, started with %s open', async (_, opened) => {
    using box = sandbox()
    const spec = flow(
      box,
      `resource_monitor: { granularity: time_series, sample_interval_seconds: 0.05 }
jobs:
  - { name: "j{i}", command: "sleep 0.2 & sleep 0.2 | cat; echo {i}", parameters: { i: "1:6" } }
`,
    )
    const runWith = (files: number) =>
      box.shell(`${opened}ulimit -n ${files}; exec $JOBMETER run ${spec} --cpus 100 --format json`)
    const refused = await runWith(39)
    expect(refused.code).toBe(1)
    const needed = Number(/a workflow needs at least (\d+)$/m.exec(refused.stderr)?.[1])
    expect((await runWith(needed - 1)).stderr).toContain(`at least ${needed}`)
    const { code, stdout, stderr } = await runWith(needed)
    expect(JSON.parse(stdout)).toMatchObject({ status_counts: { success: 6 } })
    expect(stderr).not.toContain('too many')
    expect(code).toBe(0)
  })
})

const isWrong = ({ attempt, return_code, exec_time_seconds }: ListedResult): boolean =>
  attempt !== 1 || return_code !== 0 || (exec_time_seconds ?? 0) < 0.2
