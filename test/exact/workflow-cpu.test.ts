import { describe, expect, it } from 'vitest'
import { sandbox, truth, workload, workloadsMissing } from '../program.ts'
import { flow, results } from '../workflow/flow.ts'
import { cpuTolerance } from './tolerance.ts'

describe.skipIf(workloadsMissing)('64 jobs of a workflow at once', () => {
  it('have each their own CPU seconds', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      `jobs: [{ name: "burn{i}", command: "${workload('burn')} 100 burn{i}", parameters: { i: "1:64" } }]\n`,
    )
    const ended = await box.jobmeter(['run', spec, '--max-parallel-jobs', '64', '--cpus', '64'])
    expect(ended.code, ended.stderr).toBe(0)
    const told = await results(box)
    expect(told).toHaveLength(64)
    for (const { job_name, cpu_seconds } of told) {
      const { cpuSeconds } = truth(box.path(job_name))
      const apart = Math.abs((cpu_seconds ?? Number.NaN) - cpuSeconds)
      expect(apart, `${job_name}: ${cpu_seconds} s told, ${cpuSeconds} s used`).toBeLessThanOrEqual(
        cpuTolerance(cpuSeconds),
      )
    }
  })
})
