import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, smallCount } from '../../../test/fixtures/procfs/honest.ts'
import { parseStatus, ProcessStatus } from './status.ts'

const parsed = (content: Uint8Array): ProcessStatus | false => {
  const into = new ProcessStatus()
  return parseStatus(content, content.length, into) && into
}

const memoryLines = ['highWaterBytes', 'residentBytes', 'swapBytes'] as const

describe('parseStatus', () => {
  it.each(['status-6.18-sleep', 'status-5.10-sleep'])('reads %s', (name) => {
    const status = parsed(procfsFixture(name))
    expect(status).toMatchObject({ uid: 0, swapBytes: 0, threads: 1 })
    expect(status && status.residentBytes % 1024).toBe(0)
    expect(status && status.highWaterBytes).toBeGreaterThan(1_000_000)
    expect(status && status.voluntarySwitches).toBeGreaterThanOrEqual(0)
  })

  it.each(['kernel-thread', 'zombie'])('has no memory figures for a %s', (name) => {
    const status = parsed(procfsFixture(`status-6.18-${name}`))
    expect(status).toMatchObject({ threads: 1, residentBytes: Number.NaN, swapBytes: Number.NaN })
  })

  it('is not misled by a name with brackets and line ends', () => {
    const status = parsed(procfsFixture('status-6.18-odd-name'))
    expect(status && status.parentPid).toBeGreaterThan(0)
    expect(parsed(bytes('Name:\tPPid:\t7\nPPid:\t9\n'))).toMatchObject({ parentPid: 9 })
  })

  it('reads back what was written', () => {
    fc.assert(
      fc.property(fc.array(smallCount, { minLength: 8, maxLength: 8 }), (numbers) => {
        const [ppid, uid, hwm = 0, rss = 0, swap = 0, threads, voluntary, involuntary] = numbers
        const content =
          `Name:\tx\nPPid:\t${ppid}\nUid:\t${uid}\t0\t0\t0\nVmHWM:\t    ${hwm} kB\n` +
          `VmRSS:\t ${rss} kB\nVmSwap:\t${swap} kB\nThreads:\t${threads}\n` +
          `voluntary_ctxt_switches:\t${voluntary}\nnonvoluntary_ctxt_switches:\t${involuntary}\n`
        expect(parsed(bytes(content))).toEqual({
          parentPid: ppid,
          uid,
          highWaterBytes: hwm * 1024,
          residentBytes: rss * 1024,
          swapBytes: swap * 1024,
          threads,
          voluntarySwitches: voluntary,
          involuntarySwitches: involuntary,
        })
      }),
    )
  })

  it('is honest about garbage', () => {
    const fixtures = [procfsFixture('status-6.18-sleep'), procfsFixture('status-6.18-zombie')]
    checkHonest(parseStatus, () => new ProcessStatus(), fixtures, {
      absent: [...memoryLines, 'uid', 'threads', 'voluntarySwitches', 'involuntarySwitches'],
    })
  })
})
