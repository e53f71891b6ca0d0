import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SocketTotals } from './socket-totals.ts'

const socket = (cookie: string, sentBytes: number, receivedBytes = 0) => ({
  inode: 1,
  cookie,
  sentBytes,
  receivedBytes,
})

describe('the totals of sockets', () => {
  it('are the last counters of each, whether it is open or not', () => {
    const counters = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat(1e9)), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(counters, (looks) => {
        const totals = new SocketTotals()
        const last = new Map<number, number>()
        for (const [name, grown] of looks) {
          const now = (last.get(name) ?? 0) + grown
          last.set(name, now)
          totals.note(socket(String(name), now, 2 * now))
        }
        const sum = [...last.values()].reduce((a, b) => a + b, 0)
        expect([totals.sentBytes, totals.receivedBytes]).toEqual([sum, 2 * sum])
      }),
    )
  })

  it('leave out what went through before the watching began', () => {
    const totals = new SocketTotals()
    const old = socket('old', 1000, 300)
    totals.note(socket('old', 1400, 300), old)
    totals.note(socket('old', 1500, 310), old)
    expect([totals.sentBytes, totals.receivedBytes]).toEqual([500, 10])
  })

  it('stay as they are when sockets that were closed are let go', () => {
    const totals = new SocketTotals()
    for (let index = 0; index < 5000; index++) totals.note(socket(`s${index}`, 10))
    totals.keepOnly(new Set(['s1']))
    expect(totals.sentBytes).toBe(50_000)
    expect([totals.has('s1'), totals.has('s2')]).toEqual([true, false])
  })
})
