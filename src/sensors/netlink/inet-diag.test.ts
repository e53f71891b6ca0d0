import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inetDiagRequest, parseInetDiag, type TcpSocket } from './inet-diag.ts'

const done = (): Uint8Array => message(3, new Uint8Array(4))

function message(type: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(16 + body.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, bytes.length, true)
  view.setUint16(4, type, true)
  bytes.set(body, 16)
  return bytes
}

/**
 * As Linux writes it: the socket, an attribute that we did not ask for, and tcp_info of so many bytes. The beginning of the
 * connection counts as acknowledged, and 300 bytes were sent twice.
 */
function socketMessage(inode: number, sent: bigint, received: bigint, infoBytes = 248): Uint8Array {
  const other = 8
  const body = new Uint8Array(72 + other + 4 + infoBytes)
  const view = new DataView(body.buffer)
  view.setUint32(44, inode * 2, true)
  view.setUint32(68, inode, true)
  view.setUint16(72, 5, true)
  view.setUint16(74, 8, true)
  const info = 72 + other
  view.setUint16(info, 4 + infoBytes, true)
  view.setUint16(info + 2, 2, true)
  if (infoBytes >= 136) {
    view.setBigUint64(info + 4 + 120, sent + 1n, true)
    view.setBigUint64(info + 4 + 128, received, true)
  }
  if (infoBytes >= 216) {
    view.setBigUint64(info + 4 + 200, sent + 300n, true)
    view.setBigUint64(info + 4 + 208, 300n, true)
  }
  return message(18, body)
}

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts)

describe('the kernel’s answer about sockets', () => {
  it('tells what each socket sent and received', () => {
    const sockets: TcpSocket[] = []
    const answer = joined(socketMessage(7, 1000n, 5n), socketMessage(8, 0n, 2n ** 40n))
    expect(parseInetDiag(answer, sockets)).toBe('more')
    expect(parseInetDiag(done(), sockets)).toBe('done')
    expect(sockets).toEqual([
      { inode: 7, cookie: '14.0', sentBytes: 1000, receivedBytes: 5 },
      { inode: 8, cookie: '16.0', sentBytes: 0, receivedBytes: 2 ** 40 },
    ])
  })

  it('tells no more than was sent where only what was acknowledged is told, as before 4.19', () => {
    const sockets: TcpSocket[] = []
    parseInetDiag(joined(socketMessage(7, 1000n, 5n, 192), socketMessage(8, 0n, 5n, 192)), sockets)
    expect(sockets.map(({ sentBytes }) => sentBytes)).toEqual([999, 0])
  })

  it('leaves sockets out that carry no counters, as kernels before 4.1 have them', () => {
    const sockets: TcpSocket[] = []
    expect(parseInetDiag(joined(socketMessage(7, 1n, 1n, 104), done()), sockets)).toBe('done')
    expect(sockets).toEqual([])
  })

  it('is refused where it is an error or cut', () => {
    const whole = socketMessage(7, 9n, 9n)
    expect(parseInetDiag(message(2, new Uint8Array(4)), [])).toBe('failed')
    expect(parseInetDiag(whole.subarray(0, 100), [])).toBe('failed')
    expect(parseInetDiag(new Uint8Array(0), [])).toBe('failed')
  })

  it('never throws, and never tells more than is there', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (noise, isAfter) => {
        const bytes = isAfter ? joined(socketMessage(7, 9n, 9n), noise) : noise
        const sockets: TcpSocket[] = []
        parseInetDiag(bytes, sockets)
        expect(sockets.length).toBeLessThanOrEqual(bytes.length / 100)
      }),
    )
  })

  it('is asked for with a request of the length that it names', () => {
    const request = inetDiagRequest()
    expect(new DataView(request.buffer).getUint32(0, true)).toBe(request.length)
  })
})
