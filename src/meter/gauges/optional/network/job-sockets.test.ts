import { describe, expect, it } from 'vitest'
import { failed, ok, unavailable } from '../../../../model/reading.ts'
import { fakeSystem } from '../../../../system/fake.ts'
import type { SocketDiagnostics } from '../../../../system/socket-diagnostics.ts'
import { Member } from '../../../member.ts'
import { JobSockets } from './job-sockets.ts'

/** Looks at one process that is seen to be active. */
function lookAt(sockets: JobSockets, pid: number): void {
  const member = new Member(pid, 5, -1)
  sockets.look([member], new Map([[pid, member]]), () => false)
}

describe('the sockets of a job', () => {
  it.each([unavailable('no koffi here'), failed('EPROTONOSUPPORT')])(
    'are not known where the kernel cannot be asked, with the reason: $kind',
    (answer) => {
      const sockets = new JobSockets(fakeSystem(), () => answer, false)
      lookAt(sockets, 7)
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
    lookAt(sockets, 7)
    expect(sockets.why).toContain('inet_diag')
  })

  it('are not asked for where a job has none', () => {
    const silent = { send: () => false, receive: () => undefined, close: () => {} }
    const sockets = new JobSockets(fakeSystem(), () => ok(silent), false)
    lookAt(sockets, 7)
    expect([sockets.why, sockets.totals.sentBytes]).toEqual([null, 0])
  })

  it('are not known of a job that was never looked at', () => {
    const sockets = new JobSockets(fakeSystem(), () => unavailable('never asked'), false)
    expect(sockets.why).toBe('it ended before the first look')
  })

  it('are told of one that was connected long after it was opened', () => {
    const kernel = new MadeKernel()
    const { sockets, look } = followed(kernel)
    look()
    kernel.sentBytes = 5000
    look()
    look()
    expect(sockets.totals.sentBytes).toBe(5000)
  })

  it('are asked for again soon after a first answer that took long', () => {
    const kernel = new MadeKernel()
    kernel.sentBytes = 1
    kernel.answerSeconds = 0.5
    const { sockets, look } = followed(kernel)
    look()
    kernel.answerSeconds = 0.001
    kernel.sentBytes = 5000
    look()
    expect(sockets.totals.sentBytes).toBe(5000)
  })

  it('are not those of others that came to have the number of one that was closed long ago', () => {
    const kernel = new MadeKernel()
    const { sockets, look } = followed(kernel)
    look()
    for (let from = 1000; from < 100_000; from += 2000) {
      kernel.inodes = Array.from({ length: 2000 }, (_, at) => from + at)
      look()
    }
    kernel.sentBytes = 5000
    look()
    expect(sockets.totals.sentBytes).toBe(0)
  })

  it('are asked for no more than a hundredth of the time', () => {
    const kernel = new MadeKernel()
    kernel.sentBytes = 1
    kernel.answerSeconds = 0.1
    const { look } = followed(kernel)
    for (let at = 0; at < 100; at += 1) look()
    expect(kernel.asked).toBeLessThanOrEqual(13)
  })

  it('are counted from the first look at a job that was running, whenever they are found', () => {
    const kernel = new MadeKernel()
    kernel.sentBytes = 5000
    kernel.inodes = [98]
    const { sockets, look } = followed(kernel, true)
    look()
    kernel.inodes = [98, 99]
    look()
    kernel.sentBytes = 5100
    look()
    expect(sockets.totals.sentBytes).toBe(100)
  })

  it('are counted from the first look at a job that was running, even if none was found then', () => {
    const kernel = new MadeKernel()
    kernel.sentBytes = 10_000_000_000
    kernel.inodes = []
    const { sockets, look } = followed(kernel, true)
    look()
    kernel.sentBytes += 70
    look()
    kernel.inodes = [99]
    kernel.sentBytes += 30
    look()
    expect(sockets.totals.sentBytes).toBe(100)
  })

  it('are counted in full where they were connected after that', () => {
    const kernel = new MadeKernel()
    kernel.inodes = []
    const { sockets, look } = followed(kernel, true)
    look()
    kernel.inodes = [99]
    kernel.sentBytes = 5000
    look()
    expect(sockets.totals.sentBytes).toBe(5000)
  })
})

/** A kernel with one TCP socket, inode 99, which is told once something went through it. */
class MadeKernel implements SocketDiagnostics {
  sentBytes = 0
  answerSeconds = 0.0001
  asked = 0
  /** Of the sockets of process 7. */
  inodes: readonly number[] = [99]
  readonly system = fakeSystem()

  send(): boolean {
    this.asked += 1
    this.system.advance(this.answerSeconds)
    return true
  }

  receive(): Uint8Array {
    const body = Buffer.alloc(72 + 4 + 248)
    body.writeUInt32LE(99, 68)
    body.writeUInt16LE(4 + 248, 72)
    body.writeUInt16LE(2, 74)
    body.writeBigUInt64LE(BigInt(this.sentBytes), 76 + 200)
    const told = this.sentBytes > 0 ? [message(18, body)] : []
    return Buffer.concat([...told, message(3, Buffer.alloc(4))])
  }

  close(): void {}
}

function message(type: number, body: Uint8Array): Uint8Array {
  const header = Buffer.alloc(16)
  header.writeUInt32LE(16 + body.length, 0)
  header.writeUInt16LE(type, 4)
  return Buffer.concat([header, body])
}

/** A process that runs a little between looks, which are a second apart. */
function followed(
  kernel: MadeKernel,
  countsFromNow = false,
): { readonly sockets: JobSockets; readonly look: () => void } {
  const { system } = kernel
  const files: typeof system.files = {
    ...system.files,
    list: (path) => ok(path === '/proc/7/fd' ? kernel.inodes.map(String) : []),
    readLink: (path) => ok(`socket:[${path.slice('/proc/7/fd/'.length)}]`),
  }
  const sockets = new JobSockets({ ...system, files }, () => ok(kernel), countsFromNow)
  const member = new Member(7, 5, -1)
  const members = new Map([[7, member]])
  let active: readonly Member[] = [member]
  const look = (): void => {
    member.stirs += 1
    sockets.look(active, members, () => false)
    active = []
    system.advance(1)
  }
  return { sockets, look }
}
