import { describe, expect, it } from 'vitest'
import { localExecutorOn } from '../../../test/contracts/local-executors.ts'
import { shellOrder } from '../../../test/contracts/orders.ts'
import { until } from '../../../test/workflow/flow.ts'
import { realSystem } from '../../system/real.ts'
import type { Processes, SpawnResult, System } from '../../system/system.ts'
import type { AttemptResult, ExecutorListener } from '../run/executor.ts'

/** The real machine, on which no more than so many children of ours can be started and not be reaped. */
function machineWithRoomFor(most: () => number): System {
  const system = realSystem({ ownsProcess: false })
  const real = system.processes
  const started: number[] = []
  const spawn: Processes['spawn'] = (request, watcher): SpawnResult => {
    const living = started.filter((pid) => real.hasStarted(pid)).length
    if (living >= most())
      return { kind: 'not-started', errorCode: 'EMFILE', message: 'too many open files' }
    const result = real.spawn(request, watcher)
    if (result.kind === 'started') started.push(result.pid)
    return result
  }
  const processes = new Proxy(real, {
    get(target, name) {
      if (name === 'spawn') return spawn
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  return { ...system, processes }
}

/** Its clock goes so many times as fast. */
function faster(system: System, times: number): System {
  const { clock } = system
  return {
    ...system,
    clock: {
      ...clock,
      wallSeconds: () => clock.wallSeconds(),
      monotonicSeconds: () => times * clock.monotonicSeconds(),
      after: (seconds, callback) => clock.after(seconds / times, callback),
    },
  }
}

/** Runs these commands at the same time; answers how each ended, and the executor while they run. */
function run(system: System, commands: readonly string[]) {
  const executor = localExecutorOn(system)
  const ends = new Map<string, AttemptResult>()
  const starts: string[] = []
  const all = Promise.withResolvers<ReadonlyMap<string, AttemptResult>>()
  const listener: ExecutorListener = {
    accepted: () => {},
    started: (taskId) => void starts.push(taskId),
    sampled: () => {},
    devicesSampled: () => {},
    ended: (taskId, result) => {
      ends.set(taskId, result)
      if (ends.size === commands.length) all.resolve(ends)
    },
    gone: () => {},
    unknown: () => {},
    note: () => {},
    trouble: () => {},
  }
  executor.tellTo(listener)
  const orders = commands.map((command, index) =>
    shellOrder(String(index), command, { besideCgroups: true }),
  )
  for (const order of orders) executor.start(order)
  return { executor, starts, ended: all.promise }
}

describe('the local executor on a machine that has no room for more processes or open files', () => {
  it('starts a job when another has ended, and tells when it really ended', async () => {
    const { executor, ended } = run(
      machineWithRoomFor(() => 2),
      Array.from({ length: 7 }, (_, index) => `exit ${index}`),
    )
    const ends = await ended
    executor.close()
    const codes = Object.fromEntries([...ends].map(([id, { outcome }]) => [id, outcome.exitCode]))
    expect(codes).toEqual({ 0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6 })
    const late = [...ends.values()].filter(({ endedAt }) => endedAt !== undefined)
    expect(late).toHaveLength(5)
  })

  it('tries again for a while where nothing runs whose end could make room', async () => {
    let room = 0
    // No faster: a busy machine must not come too late for the half minute that is tried.
    const system = faster(
      machineWithRoomFor(() => room),
      10,
    )
    const { executor, ended } = run(system, ['true', 'true', 'true'])
    system.clock.after(5, () => (room = 1))
    const outcomes = [...(await ended).values()].map(({ outcome }) => outcome.status)
    executor.close()
    expect(outcomes).toEqual(['success', 'success', 'success'])
  })

  it('tries again where one runs that does not end', async () => {
    let room = 1
    const system = faster(
      machineWithRoomFor(() => room),
      10,
    )
    const { executor, ended, starts } = run(system, ['sleep 60', 'true', 'true'])
    system.clock.after(5, () => (room = 3))
    await until(() => starts.length === 3)
    executor.cancel('0', 'SIGKILL')
    const outcomes = [...(await ended).values()].map(({ outcome }) => outcome.status)
    executor.close()
    expect(outcomes.toSorted()).toEqual(['cancelled', 'success', 'success'])
  })

  it('tells an error where there is no room for long', async () => {
    const { executor, ended } = run(
      faster(
        machineWithRoomFor(() => 0),
        100,
      ),
      ['true', 'true'],
    )
    const outcomes = [...(await ended).values()].map(({ outcome }) => outcome)
    executor.close()
    expect(outcomes).toMatchObject([{ status: 'error' }, { status: 'error' }])
    expect(outcomes[0]?.reason).toContain('too many open files')
  })

  it('starts none of those that wait once they are cancelled', async () => {
    const { executor, starts, ended } = run(
      machineWithRoomFor(() => 1),
      ['sleep 60', 'true', 'true'],
    )
    for (const taskId of ['0', '1', '2']) executor.cancel(taskId, 'SIGTERM')
    const ends = await ended
    executor.close()
    expect(starts).toEqual(['0'])
    const reasons = Object.fromEntries([...ends].map(([id, { outcome }]) => [id, outcome.reason]))
    expect(reasons).toEqual({
      0: 'cancelled by SIGTERM',
      1: 'cancelled by SIGTERM before it started',
      2: 'cancelled by SIGTERM before it started',
    })
  })
})
