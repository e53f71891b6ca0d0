import { describe, expect, it } from 'vitest'
import { MadeMachine } from '../../test/fuzz/made-machine.ts'
import { shippedGauges } from '../meter/gauges/shipped.ts'
import { Meter } from '../meter/meter.ts'
import type { Outcome } from '../model/outcome.ts'
import { fakeSystem } from '../system/fake.ts'
import type { ChildEnd } from '../system/system.ts'
import { JobCgroup } from './job-cgroup.ts'
import type { LaunchRequest } from './request.ts'
import { RunningJob } from './running-job.ts'

const request: LaunchRequest = {
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
}

/** A job of a terminal whose end is told before what was typed, which is told so long after it. */
async function outcomeOf(
  end: Omit<ChildEnd, 'account'>,
  { typed = [] as readonly NodeJS.Signals[], afterSeconds = 0 },
): Promise<Outcome> {
  const system = fakeSystem({})
  const job = new RunningJob(system, new Meter(system, shippedGauges), request, null)
  job.begin({ kind: 'started', pid: 7 })
  job.ended()
  job.reaped({ ...end, account: null })
  system.advance(afterSeconds)
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

  it('has cancelled a job that answered it with a code of its own, and whose end overtook it', async () => {
    const outcome = await outcomeOf({ exitCode: 3, signal: null }, { typed: ['SIGINT'] })
    expect(outcome).toMatchObject({ status: 'cancelled', exitCode: 3 })
  })

  it('comes too late for a job that had failed by itself', async () => {
    const late = { typed: ['SIGINT'], afterSeconds: 0.03 } as const
    const outcome = await outcomeOf({ exitCode: 3, signal: null }, late)
    expect(outcome).toMatchObject({ status: 'failed', exitCode: 3 })
  })

  it('is heard of although we were kept from running until that time was over', async () => {
    const system = fakeSystem({})
    const job = new RunningJob(system, new Meter(system, shippedGauges), request, null)
    job.begin({ kind: 'started', pid: 7 })
    job.ended()
    job.reaped({ exitCode: 3, signal: null, account: null })
    // In each turn of the event loop timers come first, then signals.
    system.clock.after(0.01, () => job.signal('SIGINT', true))
    system.advance(1)
    expect((await job.done).outcome).toMatchObject({ status: 'cancelled' })
  })
})

/** When a job joins v2 that starts so many processes at once, in a v1 cgroup; its main process `ends` then, or goes on. */
function joinsAfterSeconds(children: number, { ends = false } = {}): number {
  const machine = new MadeMachine()
  const { system } = machine
  const v1 = { controller: 'cpuacct', home: '/v1', directory: '/v1/job' }
  const v2 = { controller: 'v2', home: '/v2', directory: '/v2/job' }
  const inV2 = (): string =>
    system.written
      .filter(({ path }) => path === '/v2/job/cgroup.procs')
      .map(({ text }) => `${text}\n`)
      .join('')
  system.tree.set('/v1/job/cgroup.procs', () =>
    [...machine.processes.keys()].map((pid) => `${pid}\n`).join(''),
  )
  system.tree.set('/v2/job/cgroup.procs', inV2)
  const cgroup = new JobCgroup(system, [v1], () => v2)
  const root = machine.start()
  const job = new RunningJob(
    system,
    new Meter(system, shippedGauges),
    { ...request, intervalSeconds: 1 },
    cgroup,
  )
  job.begin({ kind: 'started', pid: root.pid })
  for (let child = 0; child < children; child++) machine.start(root.pid)
  if (ends) {
    machine.exit(root)
    job.ended()
    machine.wait(root)
    job.reaped({ exitCode: 0, signal: null, account: null })
  }
  const begun = system.clock.monotonicSeconds()
  const seconds = () => system.clock.monotonicSeconds() - begun
  while (inV2() === '' && seconds() < 5) system.advance(0.001)
  return inV2() === '' ? Infinity : seconds()
}

describe('a job in v1 that is to join v2', () => {
  it('does so once it has lasted a while', () => {
    expect(joinsAfterSeconds(2)).toBeCloseTo(0.2)
  })

  it('does so at once where it starts many processes, of which each would have to be moved', () => {
    expect(joinsAfterSeconds(20)).toBeLessThan(0.02)
  })

  it('does not do so for the many that its main process has left behind', () => {
    expect(joinsAfterSeconds(20, { ends: true })).toBe(Infinity)
  })
})

describe('a job that a hang-up did not end', () => {
  const signals = (...given: readonly NodeJS.Signals[]) => {
    const fake = fakeSystem({})
    const sent: string[] = []
    const processes = {
      ...fake.processes,
      signal: (_: number, signal: NodeJS.Signals | 0) => sent.push(String(signal)) > 0,
    }
    const system = { ...fake, processes }
    const own = { ...request, group: 'own' } as const
    const job = new RunningJob(system, new Meter(system, shippedGauges), own, null)
    job.begin({ kind: 'started', pid: 7 })
    for (const signal of given) job.signal(signal, false)
    return { fake, sent, job }
  }

  it('has its grace time once somebody wants it to end, and is cancelled by that', async () => {
    const { fake, sent, job } = signals('SIGHUP', 'SIGTERM')
    expect(sent).toEqual(['SIGHUP', 'SIGTERM'])
    fake.advance(request.graceSeconds)
    expect(sent.slice(0, 3)).toEqual(['SIGHUP', 'SIGTERM', 'SIGKILL'])
    job.ended()
    job.reaped({ exitCode: null, signal: 'SIGKILL', account: null })
    fake.advance(1)
    expect((await job.done).outcome).toMatchObject({
      status: 'cancelled',
      reason: 'cancelled by SIGTERM',
    })
  })
})
