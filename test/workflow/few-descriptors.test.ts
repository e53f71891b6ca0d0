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
})

const isWrong = ({ attempt, return_code, exec_time_seconds }: ListedResult): boolean =>
  attempt !== 1 || return_code !== 0 || (exec_time_seconds ?? 0) < 0.2
