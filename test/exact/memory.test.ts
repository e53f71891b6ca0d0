import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, truth, users, workload, workloadsMissing } from '../program.ts'
import { expectMemoryPeak } from './tolerance.ts'
import { keepBusy } from './trees/surroundings.ts'

const cases = [
  {
    what: '500 MB read by four forked readers',
    options: [],
    command: ['shared-readers', '500', '4', '1500'],
  },
  {
    what: '100 MB of which five forked children come to have copies',
    options: [],
    command: ['copiers', '100', '5', '2000', '1500'],
  },
  {
    what: 'ten processes of 50 MB each',
    options: [],
    command: ['private-children', '10', '50', '1500'],
  },
  {
    what: 'a spike of 300 MB for 150 ms between two looks',
    options: ['--interval', '5'],
    command: ['spike', 'self', '1200', '300', '150', '1500'],
  },
  {
    what: 'such a spike in a child that lives no longer',
    options: ['--interval', '5'],
    command: ['spike', 'child', '1200', '300', '150', '1500'],
  },
]

// One after the other, each for all users at once: the jobs sleep more than they work.
describe.skipIf(workloadsMissing).each(cases)('memory peak of $what', ({ options, command }) => {
  it.concurrent.each(users)('is the truth, measured as $name', async (user) => {
    using box = sandbox(user)
    const [name = '', ...args] = command
    const report = box.path('truth.json')
    const { ended, record } = await box.run([...options, '--', workload(name), ...args, report])
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expectMemoryPeak(record, truth(report).memoryBytes)
  })
})

describe.skipIf(workloadsMissing).each(users)('memory peak, measured as $name', (user) => {
  it('is the truth on a machine that is busy with other things', async () => {
    using box = sandbox(user)
    using load = keepBusy()
    const report = box.path('truth.json')
    const job = [workload('private-children'), '10', '50', '1500', report]
    const { record } = await box.run(['--', ...job])
    expect(load.running()).toBe(true)
    expectMemoryPeak(record, truth(report).memoryBytes)
  })

  it('is not told as certain where a program that is in memory anyway came and went between two looks', async () => {
    using box = sandbox(user)
    const report = box.path('truth.txt')
    const late = `require('fs').writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS))`
    const script = 'sleep 1.2; "$0" -e "$1"; sleep 0.3'
    const { record } = await box.run(['--', 'sh', '-c', script, process.execPath, late])
    const truthBytes = Number(readFileSync(report, 'utf8')) * 1024
    const told = record.usage['memory_peak_bytes'] ?? 0
    expect(told).toBeLessThan(truthBytes * 1.1)
    const isBound = record.basis['memory_peak_bytes']?.startsWith('at least: ') === true
    expect(isBound || told >= truthBytes * 0.9, String(told)).toBe(true)
    // Nobody can have had more together than one of them had alone.
    expect(record.usage['rss_sum_peak_bytes']).toBeGreaterThanOrEqual(
      record.usage['largest_process_peak_bytes'] ?? 0,
    )
  })

  it('of a tiny job is not the launcher’s own size', async () => {
    using box = sandbox(user)
    const { record } = await box.run(['--', 'true'])
    expect(record.resource_usage.memory_peak_mb ?? 0).toBeLessThan(16)
  })
})

describe.skipIf(workloadsMissing).each(users)('--memory-limit, as $name', (user) => {
  it('ends a job that takes more, and says why', async () => {
    using box = sandbox(user)
    const hog = [workload('hog'), '400', '30000']
    const { ended, record } = await box.run(['--memory-limit', '100MB', '--', ...hog])
    expect(ended.code).toBe(137)
    expect(record).toMatchObject({ status: 'failed', signal: 'SIGKILL' })
    expect(record.error).toMatch(/out of memory/)
  })

  it('names a child that was killed although the job went on and exited with 0', async () => {
    using box = sandbox(user)
    const shell = `${workload('hog')} 400 30000; exit 0`
    const limited = ['--memory-limit', '100MB', '--', 'sh', '-c', shell]
    const { ended } = await box.run(limited)
    const { stdout } = await box.jobmeter(['show', 'last', '--format', 'json'])
    const shown = JSON.parse(stdout) as {
      usage: Record<string, number | null>
      unmeasured: Record<string, string>
      bound_by: { kind: string; sentence: string }
    }
    const counted = {
      code: ended.code,
      killed: shown.usage['processes_killed_for_memory'],
      why: shown.unmeasured['processes_killed_for_memory'],
      sentence: shown.bound_by.sentence,
    }
    const byKernel = {
      code: 0,
      killed: 1,
      why: undefined,
      sentence: expect.stringContaining(
        '1 process of the job was killed for memory at its limit of 100.0 MB, although the job exited with 0',
      ),
    }
    // Without a cgroup nobody but us can hold it to its limit, and we end all of it.
    const byUs = {
      code: 137,
      killed: null,
      why: expect.stringContaining('cgroup'),
      sentence: expect.stringContaining('it was killed at its limit of 100.0 MB'),
    }
    expect(shown.bound_by.kind).toBe('out-of-memory')
    expect(counted).toEqual(counted.why === undefined ? byKernel : byUs)
  })

  it.each([['--no-monitor'], ['--metrics', 'none']])(
    'holds a job to it of which nothing is measured: %s %s',
    async (...unmeasured) => {
      using box = sandbox(user)
      const hog = [workload('hog'), '400', '30000']
      const limited = [...unmeasured, '--memory-limit', '100MB', '--', ...hog]
      const { ended, record } = await box.run(limited)
      expect(ended.code).toBe(137)
      expect(record.error).toMatch(/out of memory/)
      const limit = 100 * 2 ** 20
      expect(record.usage['memory_limit_bytes']).toBe(limit)
      expect(record.usage['memory_limit_met_bytes']).toBe(limit)
      expect(record.usage['memory_mean_bytes']).toBeNull()
    },
  )

  it('leaves a job alone that stays below', async () => {
    using box = sandbox(user)
    const hog = [workload('hog'), '50', '700']
    const { ended, record } = await box.run(['--memory-limit', '200MB', '--', ...hog])
    expect(ended.code).toBe(0)
    expect(record).toMatchObject({ status: 'success', error: null })
  })
})
