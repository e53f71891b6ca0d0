import { describe, expect, it } from 'vitest'
import { sandbox, users, workload, workloadsMissing } from '../program.ts'

describe.skipIf(workloadsMissing).each(users)('the busiest thread, measured as $name', (user) => {
  it.concurrent('is named, with the CPU time that it says it used', async () => {
    using box = sandbox(user)
    const { ended, record } = await box.run(['--threads', '--', workload('threads'), '800'])
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const basis = record.basis['busiest_thread_percent'] ?? ''
    const [, bound = '', seconds = ''] =
      /^(at least: )?thread "loader": .* until the last look at ([\d.]+) s$/.exec(basis) ?? []
    expect(Number(seconds), basis).toBeGreaterThan(0.8)
    // It rests in the end: the time after the last look counts, unless that was short.
    const of = bound === '' ? Number(seconds) : (record.duration_seconds ?? 0)
    const used = ((record.usage['busiest_thread_percent'] ?? 0) / 100) * of
    // The time of the look is told to a tenth of a second, and CPU time comes in ticks of 10 ms.
    expect(used).toBeGreaterThan(0.8 * 0.9)
    expect(used).toBeLessThan(0.8 * 1.1)
  })

  it.concurrent('is not looked for where nobody asks', async () => {
    using box = sandbox(user)
    const { record } = await box.run(['--', workload('threads'), '10'])
    expect(record.usage).not.toHaveProperty('busiest_thread_percent')
  })
})
