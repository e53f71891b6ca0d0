import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import { flow, results } from './flow.ts'

/** Says so after two seconds, and burns on until it is ended. */
const burning = (granularity: string, late: string): string => `
resource_monitor: { granularity: ${granularity}, sample_interval_seconds: 0.3 }
jobs:
  - { name: a, command: "timeout 2 sh -c 'while :; do :; done'; touch ${late}; exec timeout 60 sh -c 'while :; do :; done'" }
`

/** How long the run had lasted by then. Its job burns on. */
async function killWhenLate(box: Sandbox, granularity: string): Promise<number> {
  const begun = performance.now()
  const late = box.path('late')
  const run = box.start(['run', flow(box, burning(granularity, late)), '-q'], { input: '' })
  await expect.poll(() => existsSync(late)).toBe(true)
  run.signal('SIGKILL')
  await run.ended
  return (performance.now() - begun) / 1000
}

describe('a job of a workflow whose runner was killed', () => {
  it.each(['summary', 'time_series'])(
    'has what was known at the last sample, with granularity %s',
    async (granularity) => {
      using box = sandbox()
      try {
        const lastedSeconds = await killWhenLate(box, granularity)
        const { stdout } = await box.jobmeter(['show', 'a'])
        expect(stdout).toMatch(/Duration: at least \d+\.\d\ds/)
        expect(stdout).toMatch(/CPU Total Time: at least \d+\.\d\ds/)
        expect(stdout).toMatch(/Memory Peak: at least [\d.]+ [KM]B/)
        expect(stdout).toMatch(/Samples: (?:[2-9]|\d\d), one every/)
        const [result] = await results(box)
        expect(result?.cpu_seconds).toBeGreaterThan(0.2)
        expect(result?.exec_time_seconds).toBeGreaterThan(1)
        expect(result?.exec_time_seconds).toBeLessThan(lastedSeconds)
      } finally {
        await box.jobmeter(['workflows', 'cancel', '1'])
      }
    },
  )
})
