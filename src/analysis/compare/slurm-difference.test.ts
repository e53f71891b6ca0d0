import { describe, expect, it } from 'vitest'
import { slurmDifferences } from './slurm-difference.ts'

const ours = {
  attempts: 1,
  cpuSeconds: 1,
  ownCpuSeconds: 0.3,
  memoryPeakBytes: 2 ** 24,
  seconds: 10,
}
const slurm = { isOver: true, cpuSeconds: 1, maxRssBytes: 2 ** 24, elapsedSeconds: 10 }

describe('why our figures and those of Slurm differ', () => {
  it('is not said where they agree', () => {
    expect(slurmDifferences(ours, slurm)).toEqual([])
  })

  it('is that a job has not ended, and not that nothing is gathered', () => {
    const nothing = { ...slurm, cpuSeconds: 0, maxRssBytes: null }
    expect(slurmDifferences(ours, nothing).join()).toContain('Slurm gathers no usage here')
    expect(slurmDifferences(ours, { ...nothing, isOver: false }).join()).toContain('has not ended')
  })

  it('is that Slurm has not looked once where it says that a job used no memory', () => {
    for (const memoryPeakBytes of [2 ** 20, 2 ** 30])
      expect(
        slurmDifferences({ ...ours, memoryPeakBytes }, { ...slurm, maxRssBytes: 0 }).join(),
      ).toMatch(/^Memory: Slurm has no sample of it\. It looks every JobAcctGatherFrequency/)
  })

  it('is said of a short job as well', () => {
    const short = { ...ours, cpuSeconds: 0.12, ownCpuSeconds: 0.05 }
    expect(slurmDifferences(short, { ...slurm, cpuSeconds: 0.2 }).join()).toContain(
      'jobmeter and its start as well (at least 0.05 s)',
    )
  })

  it('names what jobmeter used only where that is a part of the difference', () => {
    const more = { ...slurm, cpuSeconds: 1.36 }
    expect(slurmDifferences(ours, more).join()).toContain('(at least 0.30 s)')
    for (const other of [{ ownCpuSeconds: 0.54 }, { attempts: 3 }])
      expect(slurmDifferences({ ...ours, ...other }, more).join()).not.toContain('at least')
  })
})
