import { describe, expect, it } from 'vitest'
import type { DeviceRows } from '../model/series.ts'
import { JobDevices } from './job-devices.ts'

/** Everything that goes out, with a copy of the rows, because the arrays are used again. */
function kept(): { devices: JobDevices; out: (readonly string[])[] } {
  const out: string[][] = []
  const told = ({ kind, id, columns, rows, count }: DeviceRows): string =>
    `${kind} ${id} ${columns.join(',')}: ${Array.from(rows.subarray(0, count * columns.length)).join(' ')}`
  const devices = new JobDevices(1000, (all) => void out.push(all.map(told)))
  return { devices, out }
}

describe('rows of devices', () => {
  it('go out together, with the time, when they would grow old', () => {
    const { devices, out } = kept()
    const first = devices.open({ kind: 'gpu', id: 'a' }, ['busy', 'heat'])
    const second = devices.open({ kind: 'disk', id: 'b' }, ['bytes'])
    first.values[0] = 7
    first.keep(1)
    first.values[1] = 8
    first.keep(1.25)
    second.values[0] = 9
    second.keep(1.25)
    devices.handOnBefore(1.4)
    expect(out).toEqual([])
    devices.handOnBefore(1.75)
    expect(out).toEqual([
      [
        'gpu a timestamp,elapsed_seconds,busy,heat: 1001 1 7 NaN 1001.25 1.25 NaN 8',
        'disk b timestamp,elapsed_seconds,bytes: 1001.25 1.25 9',
      ],
    ])
    devices.handOn()
    expect(out).toHaveLength(1)
  })

  it('of one that is gone go out at once, and nothing after that', () => {
    const { devices, out } = kept()
    const thread = devices.open({ kind: 'thread', id: '7' }, ['cpu'])
    thread.values[0] = 1
    thread.keep(0.5)
    devices.close(thread)
    expect(out).toEqual([['thread 7 timestamp,elapsed_seconds,cpu: 1000.5 0.5 1']])
    devices.handOn()
    expect(out).toHaveLength(1)
  })

  it('are not lost where looks are so many that the room for them is full', () => {
    const { devices, out } = kept()
    const fast = devices.open({ kind: 'gpu', id: 'a' }, ['busy'])
    for (let look = 0; look < 200; look++) {
      fast.values[0] = look
      fast.keep(look / 1000)
    }
    devices.handOn()
    const seen = out.flat().flatMap((text) => text.slice(text.indexOf(': ') + 2).split(' '))
    expect(seen.filter((_, index) => index % 3 === 2).map(Number)).toEqual(
      Array.from({ length: 200 }, (_, look) => look),
    )
  })
})
