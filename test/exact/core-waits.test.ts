import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ordinaryUser, sandbox, workloadsMissing } from '../program.ts'
import { keepBusy } from './trees/surroundings.ts'

/** Computes a little, sleeps a lot, and writes down for how long it waited for a core. */
const modest = `
  const end = Date.now() + 3500
  const step = () => {
    const until = process.cpuUsage().user + 2000
    while (process.cpuUsage().user < until);
    if (Date.now() < end) return setTimeout(step, 20)
    const told = require('fs').readFileSync('/proc/self/schedstat', 'utf8').split(' ')
    require('fs').writeFileSync(process.argv[1], told[1])
  }
  step()`

it.skipIf(workloadsMissing)(
  'tells for how long a job without a cgroup waited for a core, not for how long the machine did',
  async () => {
    using box = sandbox(ordinaryUser)
    using load = keepBusy()
    const report = box.path('waited')
    const { record } = await box.run(['--', process.execPath, '-e', modest, report])
    expect(load.running()).toBe(true)
    const waited = Number(readFileSync(report, 'utf8')) / 1e9
    const told = record.usage['cpu_pressure_seconds'] ?? 0
    expect(record.basis['cpu_pressure_seconds']).toMatch(/schedstat/)
    // It is dead when it is read, and waits once more on the way there.
    expect(told).toBeGreaterThan(waited * 0.9)
    expect(told).toBeLessThan(waited * 1.1 + 0.3)
  },
)
