import { expect, it } from 'vitest'
import { ok, unavailable } from '../../model/reading.ts'
import { fakeSystem } from '../../system/fake.ts'
import { LogRoom } from './log-room.ts'

it('is there again only when there is enough, and looked for once a second', () => {
  const system = fakeSystem({})
  const looks: ReturnType<typeof system.files.freeBytes>[] = []
  const files = { ...system.files, freeBytes: () => looks.shift() ?? unavailable('not looked for') }
  let now = 0
  const clock = { ...system.clock, monotonicSeconds: () => now }
  const room = new LogRoom({ files, clock }, '/logs')
  const troubles = [20, 15, 20, 33, 20].map((megabytes) => {
    looks.push(ok(megabytes * 2 ** 20))
    now += 1
    const { trouble } = room
    expect(room.trouble).toBe(trouble)
    return trouble
  })
  const full = 'less than 16.0 MB is free for what jobs print, in /logs'
  expect(troubles).toEqual([null, full, full, null, null])
})
