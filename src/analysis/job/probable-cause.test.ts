import { describe, expect, it } from 'vitest'
import { noRequirements } from '../../model/job.ts'
import { probableCause, type FailedFacts } from './probable-cause.ts'

const gigabyte = 2 ** 30
const requirements = { ...noRequirements, memoryBytes: 8 * gigabyte, runtimeSeconds: 100 }

const cause = (facts: Partial<FailedFacts>) =>
  probableCause({
    status: 'failed',
    exitCode: 1,
    signal: null,
    reason: null,
    requirements,
    durationSeconds: 10,
    memoryPeakBytes: gigabyte,
    processesKilledForMemory: null,
    ...facts,
  })

describe('probableCause', () => {
  it.each<[string, Partial<FailedFacts>]>([
    ['out of memory', { reason: 'out of memory: the kernel killed a process of the job' }],
    ['out of memory', { memoryPeakBytes: 9 * gigabyte }],
    ['out of memory', { signal: 'SIGKILL', memoryPeakBytes: 7 * gigabyte }],
    ['out of memory', { signal: 'SIGKILL', memoryPeakBytes: null }],
    ['out of memory', { exitCode: 137, memoryPeakBytes: 7 * gigabyte }],
    ['out of memory', { signal: 'SIGKILL', requirements: noRequirements }],
    ['out of memory', { processesKilledForMemory: 1 }],
    ['over time', { status: 'timeout', processesKilledForMemory: 2 }],
    [
      'over time',
      {
        status: 'timeout',
        reason: 'over its time limit of 100 s; 1 process of the job was killed for memory',
        processesKilledForMemory: 1,
      },
    ],
    ['cancelled', { status: 'cancelled', processesKilledForMemory: 1 }],
    ['killed', { signal: 'SIGKILL', requirements: noRequirements, processesKilledForMemory: 0 }],
    ['killed', { signal: 'SIGKILL', memoryPeakBytes: 7 * gigabyte, processesKilledForMemory: 0 }],
    ['killed', { signal: 'SIGKILL', memoryPeakBytes: gigabyte }],
    ['killed', { signal: 'SIGTERM' }],
    ['killed', { status: 'interrupted', reason: 'jobmeter was killed while the job ran' }],
    ['over time', { status: 'timeout', reason: 'over its time limit of 100 s' }],
    ['over time', { durationSeconds: 90 }],
    ['over time', { signal: 'SIGKILL', memoryPeakBytes: 7 * gigabyte, durationSeconds: 95 }],
    ['over time', { exitCode: 152 }],
    ['crashed', { signal: 'SIGSEGV' }],
    ['cancelled', { status: 'cancelled', reason: 'cancelled by SIGINT' }],
    ['not started', { status: 'error', exitCode: 127, reason: 'not found' }],
    ['error of its own', { exitCode: 3 }],
  ])('is "%s" for %j', (expected, facts) => {
    const found = cause(facts)
    expect(found.cause).toBe(expected)
    expect(found.evidence).not.toEqual([])
  })

  it('gives the figures that speak for it', () => {
    expect(cause({ memoryPeakBytes: 9 * gigabyte, signal: 'SIGKILL' }).evidence).toEqual([
      { kind: 'memory', peakBytes: 9 * gigabyte, requestedBytes: 8 * gigabyte },
      { kind: 'signal', signal: 'SIGKILL' },
    ])
    expect(cause({ durationSeconds: 95 }).evidence).toEqual([
      { kind: 'time', seconds: 95, requestedSeconds: 100 },
    ])
  })
})
