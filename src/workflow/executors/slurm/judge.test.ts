import { describe, expect, it } from 'vitest'
import { emptyUsage } from '../../../model/usage.ts'
import type { Outcome } from '../../../model/outcome.ts'
import type { SlurmJobState } from '../../../slurm/job-state.ts'
import { saysOutOfMemory } from '../../../model/outcome.ts'
import type { AttemptResult } from '../../run/executor.ts'
import type { Claim } from '../remote/attempt-folder.ts'
import { judge, mayBeEndedBySlurm } from './judge.ts'

const remains = {
  durationSeconds: 3,
  usage: emptyUsage('it was killed'),
  samples: { collected: 3, intervalSeconds: 1, late: 0, ownCpuSeconds: null },
  outline: [],
}
const job = (state: string, more: Partial<SlurmJobState> = {}): SlurmJobState => ({
  id: '12',
  name: '12',
  state,
  cancelledBy: null,
  exitCode: null,
  signal: null,
  restarts: null,
  nodes: 'c1',
  ...more,
})
const told = (outcome: Partial<Outcome>): AttemptResult => ({
  ...remains,
  outcome: {
    status: 'failed',
    exitCode: 1,
    signal: null,
    reason: null,
    stragglers: [],
    ...outcome,
  },
})
const task = (claim?: Claim) => ({ attempt: { claim, remains: () => remains } })
const taken: Claim = {
  kind: 'taken',
  by: { host: 'c1', bootId: 'b', pid: 1, startTicks: 1 },
  site: {},
}
const killed = told({ status: 'failed', exitCode: 137, signal: 'SIGKILL' })

describe('how an attempt ended whose Slurm job is over', () => {
  it.each([
    ['TIMEOUT', 'timeout', 124, 'Slurm ended job 12 at its time limit (TIMEOUT)'],
    ['NODE_FAIL', 'interrupted', null, 'the node of Slurm job 12 failed on c1 (NODE_FAIL)'],
    ['PREEMPTED', 'interrupted', null, 'Slurm ended job 12 for one that goes first (PREEMPTED)'],
    ['PENDING', 'interrupted', null, 'Slurm put job 12 back into its queue (requeue) while it ran'],
    ['CANCELLED', 'cancelled', null, 'job 12 was cancelled in Slurm (scancel)'],
  ])('is %s: %s', (state, status, exitCode, reason) => {
    const outcome = { status, exitCode, reason }
    expect(judge(job(state), task(taken), null)).toMatchObject({ ...remains, outcome })
  })

  it('is out of memory, with what was measured of it', () => {
    const judged = judge(job('OUT_OF_MEMORY'), task(taken), killed)
    expect(judged).toMatchObject({
      outcome: { status: 'failed', exitCode: 137, signal: 'SIGKILL' },
    })
    expect('outcome' in judged && saysOutOfMemory(judged.outcome.reason)).toBe(true)
  })

  it('is what the job itself says where Slurm has not ended it', () => {
    const fair = told({ status: 'success', exitCode: 0 })
    expect(judge(job('COMPLETED'), task(taken), fair)).toBe(fair)
    expect(judge(job('FAILED'), task(taken), killed)).toBe(killed)
    // It ended by itself just before its time was over.
    expect(judge(job('TIMEOUT'), task(taken), fair)).toBe(fair)
    expect([fair, told({}), killed].map(mayBeEndedBySlurm)).toEqual([false, false, true])
  })

  it('is an error with what to do about it where the node could not run it', () => {
    const reasonOf = (state: SlurmJobState): string | null => {
      const judged = judge(state, task(), null)
      return 'outcome' in judged ? judged.outcome.reason : judged.gone
    }
    expect(reasonOf(job('FAILED', { exitCode: 72 }))).toContain('--output-dir')
    expect(reasonOf(job('FAILED', { signal: 53 }))).toContain(
      'c1 does not see the output directory',
    )
    expect(reasonOf(job('FAILED', { exitCode: 74 }))).toContain('c1 could not write to')
    expect(reasonOf(job('FAILED', { exitCode: 127 }))).toContain('could not start jobmeter')
    expect(reasonOf(job('FAILED', { exitCode: 75 }))).toContain('requeue')
    expect(reasonOf(job('FAILED', { exitCode: 9 }))).toBe(
      'Slurm job 12 is over (FAILED, exit code 9), and left no result',
    )
  })
})
