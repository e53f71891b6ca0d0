import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { sandbox, workload, workloadsMissing } from '../program.ts'
import { flow, lines, results, states } from './flow.ts'

describe('a job that fails', () => {
  it('is tried again as its handler says, each attempt with a record, logs and samples', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      `failure_handlers:
  - name: retry
    rules: [{ exit_codes: [42], recovery_script: 'echo "mending $JOBMETER_JOB_NAME" > mended', max_retries: 3 }]
resource_monitor: { granularity: time_series, sample_interval_seconds: 0.02 }
jobs:
  - { name: a, command: 'echo "try $JOBMETER_ATTEMPT"; sleep 0.1; test -e mended || exit 42', failure_handler: retry }
  - { name: b, command: "true", depends_on: [a] }
`,
    )
    const { code, stderr } = await box.jobmeter(['run', spec])
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('a failed')
    expect(stderr).toContain('trying again')
    expect(lines(box.path('mended'))).toEqual(['mending a'])
    expect(await results(box, '--all-runs')).toMatchObject([
      { job_name: 'a', attempt: 1, status: 'failed', return_code: 42 },
      { job_name: 'a', attempt: 2, status: 'success', return_code: 0 },
      { job_name: 'b', attempt: 1, status: 'success' },
    ])
    for (const attempt of [1, 2])
      expect(lines(box.path(`output/job_stdio/job_1_1_1_${attempt}.o`))).toContain(`try ${attempt}`)
    const series = box.path(`output/resource_utilization/resource_metrics_${hostname()}_1_1.db`)
    const sampled = new DatabaseSync(series, { readOnly: true })
      .prepare(
        'SELECT attempt, count(*) AS n FROM job_resource_samples WHERE job_id = 1 GROUP BY attempt',
      )
      .all()
    expect(sampled).toMatchObject([
      { attempt: 1, n: expect.any(Number) },
      { attempt: 2, n: expect.any(Number) },
    ])
  })

  it('stays failed where its retries are used up or its recovery fails, and is named at the end', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      `failure_handlers:
  - { name: twice, rules: [{ match_all_exit_codes: true, max_retries: 2 }] }
  - { name: broken, rules: [{ match_all_exit_codes: true, recovery_script: exit 9 }] }
jobs:
  - { name: a, command: "exit 5", failure_handler: twice }
  - { name: b, command: "exit 6", failure_handler: broken }
  - { name: c, command: "true", depends_on: [b] }
  - { name: d, command: "true" }
`,
    )
    const { code, stderr } = await box.jobmeter(['run', spec])
    expect(code).toBe(1)
    expect(stderr).toContain('the recovery script of b exited with code 9')
    expect(stderr).toMatch(/^\[\d\/4\] b is not tried again$/m)
    expect(stderr).toContain('[4/4]')
    expect(stderr).toContain('✗ a: failed, exited with code 5')
    expect(stderr).toContain('✗ b: failed, exited with code 6')
    expect(await states(box)).toEqual({ a: 'failed', b: 'failed', c: 'cancelled', d: 'success' })
    const attempts = await results(box, '--all-runs')
    expect(attempts.map(({ job_name, attempt }) => `${job_name}${attempt}`).toSorted()).toEqual([
      'a1',
      'a2',
      'a3',
      'b1',
      'd1',
    ])
  })

  it('cancels those that wait for it, but for those that want to run all the same', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      `jobs:
  - { name: a, command: "exit 1" }
  - { name: b, command: "true", depends_on: [a] }
  - { name: c, command: "true", depends_on: [b] }
  - { name: d, command: "true", depends_on: [a], cancel_on_blocking_job_failure: false }
  - { name: e, command: "true", depends_on: [c], cancel_on_blocking_job_failure: false }
`,
    )
    expect((await box.jobmeter(['run', spec])).code).toBe(1)
    expect(await states(box)).toEqual({
      a: 'failed',
      b: 'cancelled',
      c: 'cancelled',
      d: 'success',
      e: 'success',
    })
  })

  it('stops everything with --fail-fast', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      'jobs:\n  - { name: a, command: "exit 1" }\n  - { name: b, command: touch ran }\n',
    )
    const { code, stderr } = await box.jobmeter(['run', spec, '--fail-fast', '--cpus', '1'])
    expect(code).toBe(1)
    expect(stderr).toContain('stopped because a did not succeed')
    expect(await states(box)).toEqual({ a: 'failed', b: 'cancelled' })
    expect(existsSync(box.path('ran'))).toBe(false)
  })

  it('because its command is not there does not end the run of the others', async () => {
    using box = sandbox()
    const missing = 'parameters: { i: "1:300" }'
    const spec = flow(
      box,
      `jobs:
  - { name: "gone{i}", command: no-such-command, ${missing} }
  - { name: slow, command: "sleep 0.3; echo done > slow" }
  - { name: after, command: touch after, depends_on: [slow] }
`,
    )
    const { code, stdout } = await box.jobmeter([
      'run',
      spec,
      '-q',
      '--cpus',
      '400',
      '--format',
      'json',
    ])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ status_counts: { error: 300, success: 2 } })
    expect(existsSync(box.path('after'))).toBe(true)
  })
})

describe('limits', () => {
  it('of time make a timeout, when they are enforced', async () => {
    using box = sandbox()
    const jobs = 'jobs: [{ name: a, command: sleep 30, resource_requirements: { runtime: 1s } }]\n'
    const spec = flow(box, `resource_monitor: { enforce: [runtime] }\n${jobs}`)
    const { code, stderr } = await box.jobmeter(['run', spec])
    expect(code).toBe(1)
    expect(stderr).toContain('a: timeout, over its time limit of 1 s')
    expect(await results(box)).toMatchObject([{ status: 'timeout', return_code: 124 }])
  })

  it.skipIf(workloadsMissing)('of memory are named, when they are enforced', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      `resource_monitor: { enforce: [memory] }
jobs: [{ name: a, command: ${workload('hog')} 200 20000, resource_requirements: { memory: 50m } }]
`,
    )
    const { code, stderr } = await box.jobmeter(['run', spec])
    expect(code).toBe(1)
    expect(stderr).toMatch(/a: failed, out of memory/)
  })

  it('that no job could ever keep are an error before anything starts', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      `jobs:
  - { name: small, command: touch ran }
  - { name: wide, command: "true", resource_requirements: { cpus: 3 } }
  - { name: big, command: "true", resource_requirements: { memory: 2g } }
  - { name: seeing, command: "true", resource_requirements: { gpus: 1 } }
`,
    )
    const limits = ['--cpus', '2', '--memory', '1g', '--gpus', '0']
    const { code, stderr } = await box.jobmeter(['run', spec, ...limits])
    expect(code).toBe(1)
    expect(stderr).toContain('3 jobs can never start here')
    expect(stderr).toContain('wide asks for 3 CPUs, but the runner may use 2')
    expect(stderr).toContain('big asks for 2.0 GB of memory, but the runner may use 1.0 GB')
    expect(stderr).toContain('seeing asks for 1 GPU, but the runner may use 0')
    expect(existsSync(box.path('ran'))).toBe(false)
    // Nothing holds the workflow: with more it can be run.
    const more = await box.jobmeter([
      'run',
      '--resume',
      '1',
      '--cpus',
      '3',
      '--memory',
      '2g',
      '--gpus',
      '1',
    ])
    expect(more.code, more.stderr).toBe(0)
  })

  it('of where one may write are told first', async () => {
    using box = sandbox()
    writeFileSync(box.path('file'), 'not a directory')
    const spec = flow(box, 'jobs: [{ name: a, command: touch ran }]\n')
    const { code, stderr } = await box.jobmeter(['run', spec, '--output-dir', 'file'])
    expect(code).toBe(1)
    expect(stderr).toContain('cannot be written to')
    expect(stderr).toContain('file is not a directory). Name another with --output-dir')
    expect(existsSync(box.path('ran'))).toBe(false)
    expect(readFileSync(box.path('file'), 'utf8')).toBe('not a directory')
  })
})
