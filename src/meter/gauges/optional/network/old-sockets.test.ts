import { describe, expect, it } from 'vitest'
import { OldSockets } from './old-sockets.ts'

const socket = (cookie: string) => ({ cookie, inode: 1, sentBytes: 500, receivedBytes: 0 })

function opened(...cookies: readonly string[]): OldSockets {
  const old = new OldSockets()
  for (const cookie of cookies) old.add(socket(cookie))
  return old
}

describe('sockets that are older than a job', () => {
  it('are forgotten once they are closed', () => {
    const old = opened('a', 'b', 'c')
    old.keepOnly(new Set(['b', 'new']))
    old.keepOnly(new Set(['b', 'new']))
    expect(old.size).toBe(1)
    expect(old.before('b')).toEqual(socket('b'))
  })

  it('are not taken for new because one answer left them out', () => {
    const old = opened('a')
    for (const open of [[], ['a'], [], ['a']]) old.keepOnly(new Set(open))
    expect(old.before('a')).toEqual(socket('a'))
  })
})
