import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAcknowledgement, parseFamily, parseTaskEnds, type TaskEnd } from './taskstats.ts'

/** A message as the kernel writes it: header, then a group of attributes that holds pid and stats. */
function message(fill: (view: DataView, from: number) => void, bytes = 400): Uint8Array {
  const whole = new Uint8Array(20 + 4 + 8 + 4 + bytes)
  const view = new DataView(whole.buffer)
  view.setUint32(0, whole.length, true)
  view.setUint16(20, whole.length - 20, true)
  view.setUint16(22, 4, true)
  view.setUint16(24, 8, true)
  view.setUint16(26, 1, true)
  view.setUint16(32, bytes + 4, true)
  view.setUint16(34, 3, true)
  fill(view, 36)
  return whole
}

function parsed(bytes: Uint8Array): TaskEnd[] {
  const into: TaskEnd[] = []
  parseTaskEnds(bytes, into)
  return into
}

const end = (sleeps: bigint) =>
  message((view, from) => {
    view.setBigUint64(from + 24, 500_000n, true)
    view.setBigUint64(from + 72, 1_000n, true)
    view.setUint8(from + 80, 'x'.charCodeAt(0))
    view.setUint32(from + 120, 1000, true)
    view.setUint32(from + 128, 77, true)
    view.setUint32(from + 132, 7, true)
    view.setBigUint64(from + 144, 2_500n, true)
    view.setBigUint64(from + 160, 4_000n, true)
    view.setBigUint64(from + 272, sleeps, true)
    view.setUint32(from + 368, 70, true)
  })

describe('taskstats', () => {
  it('tells who ended, and how long one ran that never slept', () => {
    expect(parsed(end(0n))).toMatchObject([
      { pid: 77, processId: 70, parentPid: 7, uid: 1000, command: 'x' },
    ])
    expect(parsed(end(0n))[0]?.cpuSeconds).toBeCloseTo(0.002, 9)
  })

  it('goes by ticks for a short one that slept', () => {
    expect(parsed(end(3n))[0]?.cpuSeconds).toBeCloseTo(0.004, 9)
  })

  it('passes over what is cut or something else', () => {
    const whole = end(0n)
    for (const length of [0, 10, 19, 24, 40, 300])
      expect(parsed(whole.subarray(0, length))).toEqual([])
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), (bytes) => {
        parsed(bytes)
        parseFamily(bytes)
        parseAcknowledgement(bytes)
      }),
    )
  })
})
