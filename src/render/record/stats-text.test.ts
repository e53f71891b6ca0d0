import { describe, expect, it } from 'vitest'
import { poisson, running, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { jobStatistics } from '../../analysis/job/job-statistics.ts'
import type { JobRecord } from '../../model/record.ts'
import { emptyUsage } from '../../model/usage.ts'
import { statsText } from './stats-text.ts'
import { plainStyle } from '../text/style.ts'

/** So many jobs of a tool, the last of them failed, that together took so long. */
function jobs(tool: string, count: number, totalSeconds: number, cpuSeconds: number): JobRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    ...poisson,
    tool,
    status: index === count - 1 ? 'failed' : 'success',
    durationSeconds: totalSeconds / count,
    usage: usageOf({ cpuTotalSeconds: cpuSeconds / count }),
  }))
}

describe('statsText', () => {
  it('shows the documented summary to the letter', async () => {
    const records = [
      ...jobs('openfoam', 3, 901.55, 523.45),
      ...jobs('fenicsx', 8, 2876.34, 3000),
      ...jobs('lammps', 4, 1456.78, 1000),
    ]
    const text = statsText(jobStatistics(records), plainStyle)
    await expect(text).toMatchFileSnapshot('../../../test/golden/render/stats.txt')
  })

  it('counts running jobs apart and says what the sums leave out', () => {
    const unknown = { ...poisson, usage: emptyUsage('not watched') }
    const text = statsText(jobStatistics([running, unknown]), plainStyle)
    expect(text).toContain('  Total Jobs: 1\n')
    expect(text).toContain('  Running: 1\n')
    expect(text).toContain('  Total CPU Time: – (not measured for 1 job)\n')
  })

  it('counts waiting jobs apart, and shows them where there are no others', () => {
    const waiting = { ...running, status: 'waiting' } as const
    const text = statsText(jobStatistics([waiting, waiting]), plainStyle)
    expect(text).toContain('  Total Jobs: 0\n')
    expect(text).toContain('  Waiting: 2\n')
  })

  it('counts watched jobs apart, and shows them where there are no others', () => {
    const watched = { ...poisson, status: 'unknown', tool: 'watched' } as const
    const text = statsText(jobStatistics([watched, watched]), plainStyle)
    expect(text).toContain('  Total Jobs: 0\n')
    expect(text).toContain('  Unknown: 2 (watched)\n')
    expect(text).toContain('  watched:\n')
    expect(text).toContain('    Unknown: 2 (watched)\n')
  })

  it('says how to begin when there is nothing', () => {
    expect(statsText(jobStatistics([]), plainStyle)).toContain('No jobs recorded yet.')
  })

  it('has no rate while nothing has finished', () => {
    expect(statsText(jobStatistics([running]), plainStyle)).toContain('  Success Rate: –\n')
  })
})
