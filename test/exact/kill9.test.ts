import { describe, expect, it } from 'vitest'
import { sandbox, workload, workloadsMissing } from '../program.ts'
import { killStorm } from './kill-storm.ts'

const kills = Number(process.env['JOBMETER_KILLS'] ?? 40)

describe.skipIf(workloadsMissing)('kill -9 of jobmeter', () => {
  it(
    'at random moments loses no finished record and leaves none running',
    async () => {
      using box = sandbox()
      const report = await killStorm(box, kills)
      expect(report.problems).toEqual([])
      // A storm that hit nothing while it ran would prove nothing.
      expect(report.interrupted).toBeGreaterThan(0)
    },
    60_000 + kills * 1000,
  )

  it('keeps the samples up to then', async () => {
    using box = sandbox()
    const script = `${workload('burn')} 1000 -; echo pid=$$; exec sleep 20`
    const job = box.start(['run', '--quiet', '--interval', '0.1', '--', 'sh', '-c', script])
    const output = await job.saw('pid=')
    job.signal('SIGKILL')
    const [record] = await box.history()
    expect(record).toMatchObject({ status: 'interrupted', returncode: null })
    const exported = await box.jobmeter(['series', 'last', '--format', 'json'])
    const samples = JSON.parse(exported.stdout) as { elapsed_seconds: number }[]
    expect(samples.at(-1)?.elapsed_seconds).toBeGreaterThan(0.8)
    process.kill(Number(/pid=(\d+)/.exec(output)?.[1]))
  })
})
