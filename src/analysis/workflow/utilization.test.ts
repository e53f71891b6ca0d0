import { describe, expect, it } from 'vitest'
import { noRequirements } from '../../model/job.ts'
import { checkUtilization, type CheckedAttempt } from './utilization.ts'

const gigabyte = 1e9

const failed: CheckedAttempt = {
  jobId: 1,
  jobName: 'a',
  runId: 1,
  attempt: 1,
  status: 'failed',
  exitCode: 137,
  signal: 'SIGKILL',
  reason: null,
  requirements: { ...noRequirements, memoryBytes: gigabyte },
  durationSeconds: 10,
  cpuPercentPeak: null,
  memoryPeakBytes: 0.99 * gigabyte,
  processesKilledForMemory: 1,
  cgroupMemoryPeakBytes: gigabyte,
  memoryLimitMetBytes: gigabyte,
  gpuCardsUsed: null,
  gpuWhyNot: 'no GPU',
  lowerBounds: [],
  unmeasured: {},
}

const check = (attempt: CheckedAttempt, includeFailed = true) =>
  checkUtilization([attempt], { minOverPercent: 1, includeFailed })

describe('an attempt that was ended at a limit', () => {
  it('was held to its request where the limit is that', () => {
    expect(check(failed).violations).toMatchObject([{ endedAt: 'request', ended: 'all' }])
  })

  it('was not held to its request where its container had a higher limit: that it used more is known', () => {
    const memoryPeakBytes = 3.9 * gigabyte
    const limits = { cgroupMemoryPeakBytes: 4 * gigabyte, memoryLimitMetBytes: 4 * gigabyte }
    const { violations } = check({ ...failed, ...limits, memoryPeakBytes })
    expect(violations).toMatchObject([{ endedAt: 'higher limit' }])
    expect(violations[0]?.overPercent).toBeCloseTo(290)
  })

  it('was stopped at its request where its time limit is that, however long it took to end', () => {
    const requirements = { ...noRequirements, runtimeSeconds: 100 }
    const stopped = (limit: number, durationSeconds: number) =>
      check({
        ...failed,
        status: 'timeout',
        reason: `over its time limit of ${limit} s`,
        requirements,
        durationSeconds,
      }).checks
    expect(stopped(100, 130)).toMatchObject([{ endedAt: 'request' }])
    expect(stopped(300, 301)).toMatchObject([{ endedAt: 'higher limit', isViolation: true }])
    expect(stopped(50, 51)).toMatchObject([{ endedAt: null, isViolation: false }])
  })

  it('went on where some of its processes alone were killed', () => {
    const { violations } = check({ ...failed, status: 'success', exitCode: 0, signal: null })
    expect(violations).toMatchObject([{ endedAt: 'request', ended: 'some' }])
  })

  it('is not counted as left out where it is shown', () => {
    expect(check(failed, false)).toMatchObject({
      totalResults: 1,
      failedLeftOut: 0,
      violations: [{ endedAt: 'request' }],
    })
    const other = { ...failed, processesKilledForMemory: 0, exitCode: 1, signal: null }
    expect(check(other, false)).toMatchObject({ totalResults: 0, failedLeftOut: 1, checks: [] })
  })
})
