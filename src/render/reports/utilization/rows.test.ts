import { describe, expect, it } from 'vitest'
import type { UtilizationCheck } from '../../../analysis/workflow/utilization.ts'
import { checkWords } from './figures.ts'
import { findingLine } from './rows.ts'

const held: UtilizationCheck = {
  jobId: 1,
  jobName: 'a',
  runId: 1,
  attempt: 1,
  resourceType: 'Memory',
  unit: 'bytes',
  specified: 1e9,
  used: 0.99e9,
  why: null,
  isLowerBound: false,
  overPercent: -1,
  isViolation: true,
  ended: 'all',
  endedAt: 'request',
}
const going: UtilizationCheck = { ...held, jobId: 2, ended: 'some' }
const higher: UtilizationCheck = { ...held, used: 3.9e9, overPercent: 290, endedAt: 'higher limit' }

const lineOf = (...violations: readonly UtilizationCheck[]): string =>
  findingLine({
    workflowId: 1,
    runId: null,
    totalResults: violations.length,
    checks: violations,
    violations,
    unmeasuredCount: 0,
    failedLeftOut: 0,
    failures: [],
  })

describe('what is said of jobs that were ended at a limit', () => {
  it('is that one was ended at its request, or lost processes there', () => {
    expect(checkWords(held).over_utilization).toBe('ended at limit')
    expect(checkWords(going).over_utilization).toBe('killed at limit')
    expect(lineOf(held, going)).toBe(
      '⚠ Found 2 resource over-utilization violations: 1 job was held to what it had asked for and ended when it needed more; processes of 1 job were killed when it needed more than it had asked for',
    )
  })

  it('is by how much one was over that had a higher limit', () => {
    expect(checkWords(higher).over_utilization).toBe('+290.0%')
    expect(lineOf(higher)).toBe('⚠ Found 1 resource over-utilization violation:')
  })
})
