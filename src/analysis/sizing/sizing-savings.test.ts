import { describe, expect, it } from 'vitest'
import { noRequirements } from '../../model/job.ts'
import { savingsOf, totalSavings } from './sizing-savings.ts'
import { sizeRequest } from './sizing.ts'
import { sizedAttempt } from '../../../test/synthetic/sized-attempt.ts'

const gigabyte = 2 ** 30
const requested = { cpus: 8, memoryBytes: 8 * gigabyte, gpus: null, runtimeSeconds: 7200 }

describe('savings', () => {
  it('are what was asked for less what should have been, while each attempt took', () => {
    const attempts = [
      sizedAttempt({ durationSeconds: 3600 }),
      sizedAttempt({ durationSeconds: 1800, status: 'failed' }),
    ]
    const advice = sizeRequest({ ...requested, memoryBytes: 16 * gigabyte }, attempts)
    const savings = savingsOf(advice, attempts)
    expect(savings).toEqual({ coreSeconds: 4 * 5400, byteSeconds: 3 * gigabyte * 5400 })
    const more = savingsOf(sizeRequest(requested, attempts), attempts)
    expect(more.byteSeconds).toBe(-5 * gigabyte * 5400)
    expect(totalSavings([savings, more])).toEqual({
      coreSeconds: 8 * 5400,
      byteSeconds: -2 * gigabyte * 5400,
    })
    expect(savingsOf(sizeRequest(noRequirements, attempts), attempts)).toEqual({
      coreSeconds: 0,
      byteSeconds: 0,
    })
  })
})
