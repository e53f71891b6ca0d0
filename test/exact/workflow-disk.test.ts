import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { smallDisk, withSmallDisk } from '../small-disk.ts'
import { flow, results } from '../workflow/flow.ts'

describe.skipIf(withSmallDisk.isSkipped)(`a full disk${withSmallDisk.why}`, () => {
  it('under ledger and output ends the run with its reason; what was finished is kept', async () => {
    using box = sandbox()
    using disk = smallDisk(box, 8192)
    const spec = flow(
      box,
      `jobs:
  - { name: first, command: "true" }
  - { name: fill, command: "test -e freed || head -c 100M /dev/zero > ${disk.path}/filler; true", depends_on: [first] }
  - { name: "more{i}", command: "true", parameters: { i: "1:50" }, depends_on: [fill] }
`,
    )
    const env = { JOBMETER_DB: `${disk.path}/ledger.db` }
    const ended = await box.jobmeter(['run', spec, '--output-dir', `${disk.path}/out`], { env })
    expect(ended.code, ended.stderr).toBe(1)
    expect(ended.stderr).toMatch(/full|no space/i)
    expect(ended.stderr).not.toContain('a bug in jobmeter')
    const kept = async () => {
      const asked = await box.jobmeter(['results', 'list', '1', '--format', 'json'], { env })
      expect(asked.code, asked.stderr).toBe(0)
      return (JSON.parse(asked.stdout) as { results: object[] }).results
    }
    const first = expect.objectContaining({ job_name: 'first', status: 'success' }) as object
    expect(await kept()).toContainEqual(first)
    // The runner is gone, and nobody can write so.
    const left = expect.objectContaining({ job_name: 'fill', status: 'interrupted' }) as object
    expect(await kept()).toContainEqual(left)
    const standing = await box.jobmeter(['workflows', 'status', '1'], { env })
    expect(standing.stdout).toMatch(/INTERRUPTED +1/)
    expect(standing.stdout).not.toContain('RUNNING')
    rmSync(`${disk.path}/filler`)
    writeFileSync(box.path('freed'), '')
    expect(await kept()).toContainEqual(first)
    const resumed = await box.jobmeter(['run', '--resume', '1', '--output-dir', 'elsewhere'], {
      env,
    })
    expect(resumed.stderr).toContain('✓ flow  52 of 52 jobs succeeded')
  })

  it('under the samples alone is told, and the run goes on', async () => {
    using box = sandbox()
    using disk = smallDisk(box, 256)
    const spec = flow(
      box,
      `resource_monitor: { granularity: time_series, sample_interval_seconds: 0.01 }
jobs: [{ name: a, command: "sleep 0.1; head -c 1M /dev/zero > ${disk.path}/filler; sleep 1.5; touch done" }]
`,
    )
    const ended = await box.jobmeter(['run', spec, '--output-dir', disk.path])
    expect(ended.stderr).toContain('no more samples are kept')
    expect(ended.code).toBe(0)
    expect(existsSync(box.path('done'))).toBe(true)
    expect(await results(box)).toMatchObject([{ status: 'success' }])
  })

  it('under the samples is not said of the ledger, nor that their file was moved', async () => {
    using box = sandbox()
    using disk = smallDisk(box, 256)
    const spec = flow(
      box,
      `resource_monitor: { granularity: time_series, sample_interval_seconds: 0.01 }
jobs:
  - { name: a, command: "sleep 0.1; head -c 1M /dev/zero > ${disk.path}/filler; sleep 1.5" }
  - { name: late, command: "sleep 0.1", depends_on: [a] }
`,
    )
    const ended = await box.jobmeter(['run', spec, '--output-dir', disk.path])
    expect(ended.stderr).toContain('there is no space left to write to the series file; free some')
    expect(ended.stderr).not.toMatch(/ledger|prune/)
    const { stderr } = await box.jobmeter(['series', 'late'])
    expect(stderr).toMatch(/attempt 1 has no samples in .*\/resource_metrics_.*_1_1\.db/)
    expect(stderr).not.toContain('--output-dir')
  })
})
