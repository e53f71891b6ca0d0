import { describe, expect, it } from 'vitest'
import { shippedGauges } from '../meter/gauges/shipped.ts'
import { Meter } from '../meter/meter.ts'
import type { Outcome } from '../model/outcome.ts'
import { fakeSystem } from '../system/fake.ts'
import type { ChildEnd } from '../system/system.ts'
import { RunningJob } from './running-job.ts'

/** A job of a terminal whose end is told before what was typed; `typed` is told within the moment after it. */
async function outcomeOf(
  end: Omit<ChildEnd, 'account'>,
  { typed = [] as readonly NodeJS.Signals[] },
): Promise<Outcome> {
  const system = fakeSystem({})
  const job = new RunningJob(
    system,
    new Meter(system, shippedGauges),
    {
      taskId: 'a',
      command: ['sleep', '20'],
      environment: {},
      workingDirectory: '/',
      group: 'shared',
      intervalSeconds: null,
      timeoutSeconds: null,
      memoryLimitBytes: null,
      graceSeconds: 10,
      stragglers: 'leave',
      ownCgroup: false,
      onSamples: () => {},
    },
    null,
  )
  job.begin({ kind: 'started', pid: 7 })
  job.ended()
  job.reaped({ ...end, account: null })
  for (const signal of typed) job.signal(signal, true)
  system.advance(1)
  return (await job.done).outcome
}

describe('Ctrl-C, which the terminal sends to the job and to us', () => {
  it('has cancelled the job although its end was told first', async () => {
    const typed = ['SIGINT'] as const
    const byInt = await outcomeOf({ exitCode: null, signal: 'SIGINT' }, { typed })
    expect(byInt).toMatchObject({ status: 'cancelled', reason: 'cancelled by SIGINT' })
    const byShell = await outcomeOf({ exitCode: 130, signal: null }, { typed })
    expect(byShell).toMatchObject({ status: 'cancelled', exitCode: 130 })
  })

  it('is not made up where nobody typed it', async () => {
    const outcome = await outcomeOf({ exitCode: null, signal: 'SIGINT' }, {})
    expect(outcome).toMatchObject({ status: 'failed', reason: 'ended by SIGINT' })
  })

  it('comes too late for a job that had failed by itself', async () => {
    const outcome = await outcomeOf({ exitCode: 3, signal: null }, { typed: ['SIGINT'] })
    expect(outcome).toMatchObject({ status: 'failed', exitCode: 3 })
  })
})
