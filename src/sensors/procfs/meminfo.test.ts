import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, smallCount } from '../../../test/fixtures/procfs/honest.ts'
import { Meminfo, parseMeminfo } from './meminfo.ts'

const parsed = (content: Uint8Array): Meminfo | false => {
  const into = new Meminfo()
  return parseMeminfo(content, content.length, into) && into
}

describe('parseMeminfo', () => {
  it('reads a captured file', () => {
    const memory = parsed(procfsFixture('meminfo-6.18'))
    expect(memory).toMatchObject({ totalBytes: 24_684_100 * 1024, swapTotalBytes: 0 })
    expect(memory && memory.usedBytes + memory.availableBytes).toBe(24_684_100 * 1024)
  })

  it('estimates what is available where the file does not say', () => {
    expect(parsed(procfsFixture('meminfo-made-up-no-available'))).toEqual({
      totalBytes: 2_097_152 * 1024,
      availableBytes: 1_100_000 * 1024,
      usedBytes: 997_152 * 1024,
      swapTotalBytes: 1_048_576 * 1024,
      swapFreeBytes: 1_048_000 * 1024,
    })
  })

  it('never has less than nothing in use', () => {
    fc.assert(
      fc.property(smallCount, smallCount, (total, available) => {
        const memory = parsed(bytes(`MemTotal: ${total} kB\nMemAvailable: ${available} kB\n`))
        expect(memory && memory.usedBytes).toBe(Math.max(0, total - available) * 1024)
      }),
    )
  })

  it('is honest about garbage', () => {
    const fixtures = [procfsFixture('meminfo-6.18'), procfsFixture('meminfo-made-up-no-available')]
    checkHonest(parseMeminfo, () => new Meminfo(), fixtures, {
      absent: ['swapTotalBytes', 'swapFreeBytes'],
    })
  })
})
