import { describe, expect, it } from 'vitest'
import { failed, ok, unavailable } from '../../../../model/reading.ts'
import { fakeSystem } from '../../../../system/fake.ts'
import { Member } from '../../../member.ts'
import { JobSockets } from './job-sockets.ts'

function processOf(pid: number): readonly Member[] {
  const member = new Member(pid, 5, -1)
  return [member]
}

describe('the sockets of a job', () => {
  it.each([unavailable('no koffi here'), failed('EPROTONOSUPPORT')])(
    'are not known where the kernel cannot be asked, with the reason: $kind',
    (answer) => {
      const sockets = new JobSockets(fakeSystem(), () => answer, false)
      sockets.look(processOf(7))
      expect(sockets.why).toBe(answer.kind === 'unavailable' ? 'no koffi here' : 'EPROTONOSUPPORT')
    },
  )

  it('are not known where the kernel does not answer', () => {
    const silent = { send: () => true, receive: () => undefined, close: () => {} }
    const system = fakeSystem()
    const files: typeof system.files = {
      ...system.files,
      list: (path) => ok(path === '/proc/7/fd' ? ['3'] : []),
      readLink: () => ok('socket:[99]'),
    }
    const sockets = new JobSockets({ ...system, files }, () => ok(silent), false)
    sockets.look(processOf(7))
    expect(sockets.why).toContain('inet_diag')
  })

  it('are not asked for where a job has none', () => {
    const silent = { send: () => false, receive: () => undefined, close: () => {} }
    const sockets = new JobSockets(fakeSystem(), () => ok(silent), false)
    sockets.look(processOf(7))
    expect([sockets.why, sockets.totals.sentBytes]).toEqual([null, 0])
  })

  it('are not known of a job that was never looked at', () => {
    const sockets = new JobSockets(fakeSystem(), () => unavailable('never asked'), false)
    expect(sockets.why).toBe('it ended before the first look')
  })
})
