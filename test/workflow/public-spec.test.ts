import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import { flow, script, onPath } from './flow.ts'

/** Each job notes how many run beside it, once there are as many as it wants, or two seconds have gone by. */
const counting = `mkdir "on_$1"; tries=0
while [ "$(ls -d on_* | wc -l)" -lt "$WANTED" ] && [ $tries -lt 100 ]; do sleep 0.02; tries=$((tries + 1)); done
ls -d on_* | wc -l >> beside; rmdir "on_$1"`

const wanting = (box: Sandbox, wanted: number) => ({
  env: { ...onPath(box).env, WANTED: String(wanted) },
})

describe('max_parallel_jobs', () => {
  const spec = `max_parallel_jobs: 2
jobs: [{ name: "j{i}", command: "count {i}", parameters: { i: "1:6" }, resource_requirements: { cpus: 0.1 } }]
`

  it.each([
    { says: 'of the file holds', options: [], most: 2 },
    { says: 'gives way to the command line', options: ['--max-parallel-jobs', '1'], most: 1 },
    { says: 'may be raised there', options: ['--max-parallel-jobs', '6'], most: 6 },
  ])('$says', async ({ options, most }) => {
    using box = sandbox()
    script(box, 'count', counting)
    const words = ['run', flow(box, spec), '--cpus', '8', ...options]
    const ended = await box.jobmeter(words, wanting(box, Math.min(most, 2)))
    expect(ended.code, ended.stderr).toBe(0)
    const beside = readFileSync(box.path('beside'), 'utf8').trim().split('\n').map(Number)
    expect(beside).toHaveLength(6)
    expect(Math.max(...beside)).toBeLessThanOrEqual(most)
    expect(Math.max(...beside)).toBeGreaterThanOrEqual(Math.min(most, 2))
  })

  it('holds when the workflow is resumed', async () => {
    using box = sandbox()
    script(box, 'count', `[ -e go ] || exit 1; ${counting}`)
    await box.jobmeter(['run', flow(box, spec), '--cpus', '8'], wanting(box, 2))
    appendFileSync(box.path('go'), '')
    const ended = await box.jobmeter(['run', '--resume', '1', '--cpus', '8'], wanting(box, 2))
    expect(ended.code, ended.stderr).toBe(0)
    const beside = readFileSync(box.path('beside'), 'utf8').trim().split('\n').map(Number)
    expect(Math.max(...beside)).toBe(2)
  })
})

describe('what a file says is to be measured', () => {
  it('is measured, and the rest is not', async () => {
    using box = sandbox()
    const spec = `resource_monitor: { sample_interval_seconds: 0.1, metrics: [cpu_percent, memory_bytes, threads] }
jobs: [{ name: a, command: "sleep 0.3" }]
`
    const ended = await box.jobmeter(['run', '-q', flow(box, spec)])
    expect(ended.code, ended.stderr).toBe(0)
    const [record] = await box.history()
    expect(record?.usage['memory_peak_bytes']).toBeGreaterThan(0)
    expect(record?.usage).toHaveProperty('busiest_thread_percent')
    expect(record).toHaveProperty('unmeasured.read_bytes', 'not asked for (--metrics)')
    expect(record?.usage['machine_memory_max_bytes']).toBeNull()
  })

  it('may be what is measured by default, and more', async () => {
    using box = sandbox()
    const spec = `resource_monitor: { sample_interval_seconds: 0.1, metrics: [default, threads] }
jobs: [{ name: a, command: "sleep 0.3" }]
`
    const ended = await box.jobmeter(['run', '-q', flow(box, spec)])
    expect(ended.code, ended.stderr).toBe(0)
    const [record] = await box.history()
    expect(record?.usage).toHaveProperty('busiest_thread_percent')
    expect(record?.usage['machine_memory_max_bytes']).toBeGreaterThan(0)
  })

  it('may be nothing: what the kernel tells at the end is known all the same', async () => {
    using box = sandbox()
    const spec = 'resource_monitor: { metrics: [] }\njobs: [{ name: a, command: "true" }]\n'
    await box.jobmeter(['run', '-q', flow(box, spec)])
    const [record] = await box.history()
    expect(record?.resource_usage.cpu_total_seconds).toBeGreaterThan(0)
    expect(record?.resource_usage.memory_peak_mb).toBeNull()
  })
})

describe('what a file says that is of no use here', () => {
  const spec = `resource_monitor: { metrics: [cpu, memory, gpu] }
actions:
  - { trigger_type: on_workflow_start, action_type: run_commands, commands: ["true"], start_one_worker_per_node: true, max_parallel_jobs: 4 }
jobs: [{ name: a, command: "true" }]
`
  const note =
    'these have no effect here: ' +
    'actions[0].start_one_worker_per_node (for clusters), actions[0].max_parallel_jobs (for clusters)\n'

  it.each([['run'], ['workflows', 'plan'], ['workflows', 'create-from-spec']])(
    'is said in one note, and no error: %s %s',
    async (...words) => {
      using box = sandbox()
      const ended = await box.jobmeter([...words, flow(box, spec)])
      expect(ended.code, ended.stderr).toBe(0)
      expect(ended.stderr.split(note)).toHaveLength(2)
    },
  )

  it('is an error where it is wrong', async () => {
    using box = sandbox()
    const wrong = spec.replace('gpu]', 'gpus]').replace('node: true', 'node: 1')
    const ended = await box.jobmeter(['run', flow(box, wrong)])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('metrics[2]: expected "cpu", ')
    expect(ended.stderr).toContain('Did you mean "gpu"?')
    expect(ended.stderr).toContain('start_one_worker_per_node: expected true or false, found 1')
  })
})

describe('a job that asks for more than there is', () => {
  const spec = `jobs:
  - { name: small, command: touch ran }
  - { name: huge, command: "true", resource_requirements: { cpus: 100000, memory: 900t } }
`

  it('is in the plan, with its name and the numbers', async () => {
    using box = sandbox()
    const text = await box.jobmeter(['workflows', 'plan', flow(box, spec)])
    expect(text.code).toBe(1)
    expect(text.stdout).toMatch(
      /1 job can never start on this machine:\n {2}huge asks for 100000 CPUs, but the runner may use \d+\n {2}huge asks for 900\.0 TB of memory, but the runner may use [\d.]+ GB\n$/,
    )
    const json = await box.jobmeter(['workflows', 'plan', flow(box, spec), '--format', 'json'])
    const { does_not_fit: found } = JSON.parse(json.stdout) as { does_not_fit: unknown }
    expect(found).toMatchObject([
      { job: 'huge', resource: 'cpus', requested: 100_000 },
      { job: 'huge', resource: 'memory_bytes', requested: 900 * 2 ** 40 },
    ])
  })

  it('is told before anything starts, but not once it has succeeded elsewhere', async () => {
    using box = sandbox()
    const ended = await box.jobmeter(['run', flow(box, spec)], { timeoutMs: 20_000 })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(/a job can never start here[^]*huge asks for 100000 CPUs, but the/)
    expect(ended.stderr).toContain('--resume 1')
    const room = ['--cpus', '100000', '--memory', '900t']
    expect(await box.jobmeter(['run', '--resume', '1', ...room])).toMatchObject({ code: 0 })
    writeFileSync(box.path('flow.yaml'), `name: flow\n${spec}  - { name: more, command: "true" }\n`)
    const again = await box.jobmeter(['run', box.path('flow.yaml'), '--resume', '1'])
    expect(again.code, again.stderr).toBe(0)
  })
})
