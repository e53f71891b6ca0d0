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

  it('keeps the samples up to then, but for the last second', async () => {
    using box = sandbox()
    const script = `${workload('burn')} 2500 -; echo pid=$$; exec sleep 600`
    const job = box.start(['run', '--quiet', '--interval', '0.1', '--', 'sh', '-c', script])
    const output = await job.saw('pid=')
    job.signal('SIGKILL')
    // A signal takes its time too: until then it runs.
    await job.ended
    process.kill(Number(/pid=(\d+)/.exec(output)?.[1]))
    const [record] = await box.history()
    expect(record).toMatchObject({ status: 'interrupted', returncode: null })
    expect(Math.max(...(await box.sampleTimes()))).toBeGreaterThan(1.4)
  })
})
