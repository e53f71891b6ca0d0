import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, users, workload, workloadsMissing } from '../program.ts'
import { flow } from '../workflow/flow.ts'
import { cpuTolerance } from './tolerance.ts'

const jobCount = 12

/** What the processes of a job wrote down of themselves. */
function truthIn(log: string): { readonly cpuSeconds: number; readonly writtenBytes: number } {
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const column = (at: number) => lines.map((line) => Number(line.split(' ')[at]))
  const sum = (values: readonly number[]) => values.reduce((before, value) => before + value, 0)
  return { cpuSeconds: sum(column(0)), writtenBytes: sum(column(1)) }
}

/** Of daemons that come and go between two looks, nothing but their death tells; several jobs have some at once. */
describe.skipIf(workloadsMissing).concurrent.each(users)(
  'short-lived daemons of neighbours, as $name',
  (user) => {
    it.each([
      { asking: 'with a cgroup where that can be had', request: '{ runtime: PT1M }' },
      { asking: 'without', request: '{}' },
    ])('count for their own job, $asking', async ({ request }) => {
      using box = sandbox(user)
      const spec = flow(
        box,
        `jobs: [{ name: "d{i}", command: "${workload('daemons')} {i} log{i}",
  parameters: { i: "1:${jobCount}" }, resource_requirements: ${request} }]\n`,
      )
      const ended = await box.jobmeter(['run', spec, '--max-parallel-jobs', '4', '--cpus', '4'])
      expect(ended.code, ended.stderr).toBe(0)
      const records = await box.history()
      expect(records).toHaveLength(jobCount)
      for (const { name, usage, basis } of records) {
        const truth = truthIn(box.path(name.replace('d', 'log')))
        const cpuSeconds = usage['cpu_total_seconds'] ?? Number.NaN
        const words = `${name}: ${JSON.stringify({ truth, usage, basis }, null, 1)}`
        expect(basis['cpu_total_seconds'], words).not.toMatch(/^at least/)
        expect(Math.abs(cpuSeconds - truth.cpuSeconds), words).toBeLessThanOrEqual(
          cpuTolerance(truth.cpuSeconds),
        )
        // The counters of the dead are root's alone to read; others are told that some are missing.
        const mayLack = user.uid !== undefined && basis['write_chars']?.startsWith('at least')
        const least = mayLack === true ? 0 : truth.writtenBytes
        expect(usage['write_chars'], words).toBeGreaterThanOrEqual(least)
        expect(usage['write_chars'], words).toBeLessThan(truth.writtenBytes + 100_000)
      }
    })
  },
)
