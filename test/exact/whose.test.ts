import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, users, workload, workloadsMissing } from '../program.ts'
import { flow, results } from '../workflow/flow.ts'
import { idleStrangers } from './trees/surroundings.ts'

/** Examples that went wrong once; `trees` grows the rest. At once: the jobs sleep. */
describe.skipIf(workloadsMissing).concurrent.each(users)('whose a process is, as $name', (user) => {
  it('a job that ends leaves its neighbour alone, whatever each has asked for', async () => {
    using box = sandbox(user)
    const spec = flow(
      box,
      `jobs:
  - { name: long, command: "sleep 3; echo whole > long.txt", resource_requirements: { runtime: PT1M } }
  - { name: short, command: "sleep 1" }
  - { name: busy, command: "${workload('burn')} 1000 busy.json" }
`,
    )
    const ended = await box.jobmeter(['run', spec, '--max-parallel-jobs', '3', '--cpus', '3'])
    expect(ended.code, ended.stderr).toBe(0)
    expect(readFileSync(box.path('long.txt'), 'utf8')).toBe('whole\n')
    const told = await results(box)
    const cpuOf = (name: string) => told.find(({ job_name }) => job_name === name)?.cpu_seconds
    expect(cpuOf('short')).toBeLessThan(0.1)
    expect(cpuOf('long')).toBeLessThan(0.1)
    expect(cpuOf('busy')).toBeGreaterThan(0.95)
  })

  it.each([0, 800])('late children are seen, beside %d strangers', async (strangers) => {
    using box = sandbox(user)
    using others = await idleStrangers(strangers)
    const late = `sleep 1.2; exec ${workload('private-children')} 6 40 2500 ${box.path('truth')}`
    const { record } = await box.run(['--', 'sh', '-c', late])
    expect(others.running()).toBe(true)
    expect(record.usage['processes_peak']).toBe(7)
    expect(record.resource_usage.memory_peak_mb).toBeGreaterThan(0.95 * 240)
    expect(record.resource_usage.memory_peak_mb).toBeLessThan(1.05 * 240 + 4)
  })

  it('late children that are left behind are named, and killed on demand', async () => {
    using box = sandbox(user)
    using others = await idleStrangers(800)
    const leave = 'sleep 1.2; for i in 1 2 3; do setsid sleep 30 & done; sleep 0.2'
    const streams = '</dev/null >/dev/null 2>&1'
    const { record } = await box.run(['--', 'sh', '-c', `(${leave}) ${streams}`])
    expect(others.running()).toBe(true)
    expect(record.stragglers.map(({ command }) => command)).toEqual(Array(3).fill('sleep 30'))
    for (const { pid } of record.stragglers) process.kill(pid, 'SIGKILL')
    const killed = await box.run([
      '--stragglers',
      'kill',
      '--',
      'sh',
      '-c',
      `(${leave}) ${streams}`,
    ])
    expect(killed.record.stragglers).toEqual([])
    expect(killed.ended.code).toBe(0)
  })

  it('a job inside a job belongs to both', async () => {
    using box = sandbox(user)
    const inner = `$JOBMETER run --quiet --name inner -- ${workload('hog')} 120 1500`
    const { ended } = box.terminal(`$JOBMETER run --quiet --name outer -- sh -c '${inner}; true'`)
    expect((await ended).code).toBe(0)
    const records = await box.history()
    for (const name of ['inner', 'outer']) {
      const told = records.find((record) => record.name === name)?.resource_usage.memory_peak_mb
      expect(told, name).toBeGreaterThan(0.95 * 120)
    }
  })
})

describe.skipIf(workloadsMissing)('small peaks between looks, in a cgroup', () => {
  it.skipIf(users.length === 1)('are told as large as they were', async () => {
    using box = sandbox()
    const spike = [workload('spike'), 'child', '1300', '40', '100', '300', box.path('truth')]
    const { record } = await box.run(['--', ...spike])
    expect(record.resource_usage.memory_peak_mb).toBeGreaterThan(38)
    expect(record.resource_usage.memory_peak_mb).toBeLessThan(46)
  })
})
