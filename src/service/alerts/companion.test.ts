import { expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import type { ChildWatcher, Processes } from '../../system/system.ts'
import { Companion } from './companion.ts'

/** A machine on which each start fails or not, as told; those not told of work. */
function machine(works: readonly boolean[]) {
  const started: ChildWatcher[] = []
  let attempts = 0
  const system = fakeSystem()
  const spawn: Processes['spawn'] = (_, watcher) => {
    if (works[attempts++] === false)
      return { kind: 'not-started', errorCode: 'EAGAIN', message: 'too many processes' }
    started.push(watcher)
    return { kind: 'started', pid: attempts }
  }
  const companion = new Companion({ ...system, processes: { ...system.processes, spawn } }, '/l.db')
  return { companion, started, attempts: () => attempts }
}

const over = { exitCode: 0, signal: null, account: null }

it('is tried again when the runner ends if it could not be started', () => {
  const { companion, started, attempts } = machine([false])
  companion.wake()
  expect(attempts()).toBe(1)
  companion.leave()
  expect(started).toHaveLength(1)
  companion.leave()
  expect(attempts()).toBe(2)
})

it('is tried again for what came while the last one ran, if that start fails', () => {
  const { companion, started, attempts } = machine([true, false])
  companion.wake()
  companion.wake()
  expect(attempts()).toBe(1)
  started[0]?.reaped(over)
  expect(attempts()).toBe(2)
  companion.leave()
  expect(started).toHaveLength(2)
})

it('is not started for nothing', () => {
  const { companion, started } = machine([])
  companion.leave()
  companion.wake()
  started[0]?.reaped(over)
  companion.leave()
  expect(started).toHaveLength(1)
})
