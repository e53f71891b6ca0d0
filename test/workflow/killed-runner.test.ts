import { describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import { flow, results } from './flow.ts'

const burning = (granularity: string): string => `
resource_monitor: { granularity: ${granularity}, sample_interval_seconds: 0.3 }
jobs:
  - { name: a, command: 'while :; do :; done' }
`

async function killAfterSamples(box: Sandbox, granularity: string): Promise<void> {
  const run = box.start(['run', flow(box, burning(granularity)), '-q'], { input: '' })
  await new Promise((resolve) => setTimeout(resolve, 2500))
  run.signal('SIGKILL')
  await run.ended
}

describe('a job of a workflow whose runner was killed', () => {
  it.each(['summary', 'time_series'])(
    'has what was known at the last sample, with granularity %s',
    async (granularity) => {
      using box = sandbox()
      await killAfterSamples(box, granularity)
      const { stdout } = await box.jobmeter(['show', 'a'])
      expect(stdout).toMatch(/Duration: at least [12]\.\d\ds/)
      expect(stdout).toMatch(/CPU Total Time: at least [012]\.\d\ds/)
      expect(stdout).toMatch(/Memory Peak: at least [\d.]+ MB/)
      expect(stdout).toMatch(/Samples: (?:[2-9]|\d\d), one every/)
      const [result] = await results(box)
      expect(result?.cpu_seconds).toBeGreaterThan(0.2)
      expect(result?.exec_time_seconds).toBeGreaterThan(1)
      await box.jobmeter(['workflows', 'cancel', '1'])
    },
  )
})
