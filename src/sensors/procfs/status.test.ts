import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, smallCount } from '../../../test/fixtures/procfs/honest.ts'
import { parseStatus, ProcessStatus } from './status.ts'

const parsed = (content: Uint8Array): ProcessStatus | false => {
  const into = new ProcessStatus()
  return parseStatus(content, content.length, into) && into
}

describe('parseStatus', () => {
  it.each(['status-6.18-sleep', 'status-5.10-sleep'])('reads %s', (name) => {
    const status = parsed(procfsFixture(name))
    expect(status).toMatchObject({ swapBytes: 0 })
    expect(status && status.highWaterBytes % 1024).toBe(0)
    expect(status && status.highWaterBytes).toBeGreaterThan(1_000_000)
  })

  it.each(['kernel-thread', 'zombie'])('has nothing to tell of a %s', (name) => {
    expect(parsed(procfsFixture(`status-6.18-${name}`))).toBe(false)
  })

  it('is not misled by a name with brackets and line ends', () => {
    const status = parsed(procfsFixture('status-6.18-odd-name'))
    expect(status && status.highWaterBytes).toBeGreaterThan(0)
    expect(parsed(bytes('Name:\tVmHWM:\t7\nVmHWM:\t9\n'))).toMatchObject({
      highWaterBytes: 9 * 1024,
    })
  })

  it('reads back what was written', () => {
    fc.assert(
      fc.property(smallCount, smallCount, smallCount, (hwm, rss, swap) => {
        const content =
          `Name:\tx\nPPid:\t1\nUid:\t0\t0\t0\t0\nVmHWM:\t    ${hwm} kB\n` +
          `VmRSS:\t ${rss} kB\nVmSwap:\t${swap} kB\nThreads:\t1\n`
        expect(parsed(bytes(content))).toEqual({
          highWaterBytes: hwm * 1024,
          residentBytes: rss * 1024,
          swapBytes: swap * 1024,
        })
      }),
    )
  })

  it('is honest about garbage', () => {
    const fixtures = [procfsFixture('status-6.18-sleep'), procfsFixture('status-6.18-zombie')]
    checkHonest(parseStatus, () => new ProcessStatus(), fixtures, {
      absent: ['swapBytes', 'residentBytes'],
    })
  })
})
