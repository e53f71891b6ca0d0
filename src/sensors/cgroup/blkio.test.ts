import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, cgroupFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, smallCount } from '../../../test/fixtures/procfs/honest.ts'
import { BlkioTotals, parseBlkio } from './blkio.ts'

const parsed = (content: Uint8Array): BlkioTotals | false => {
  const into = new BlkioTotals()
  return parseBlkio(content, content.length, into) && into
}

describe('parseBlkio', () => {
  it('adds up reads and writes, and nothing twice', () => {
    const expected = { read: 1_052_672, written: 2_097_152 }
    expect(parsed(cgroupFixture('blkio-service-bytes-4.18'))).toEqual(expected)
  })

  it('reads a cgroup without any I/O', () => {
    expect(parsed(cgroupFixture('blkio-service-bytes-6.18'))).toEqual({ read: 0, written: 0 })
  })

  it('reads back what was written, but no file without its last line', () => {
    fc.assert(
      fc.property(smallCount, smallCount, (read, written) => {
        const lines = `8:0 Read ${read}\n8:0 Write ${written}\n8:0 Total 1\n`
        expect(parsed(bytes(`${lines}Total 1\n`))).toEqual({ read, written })
        expect(parsed(bytes(lines))).toBe(false)
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parseBlkio, () => new BlkioTotals(), [cgroupFixture('blkio-service-bytes-4.18')])
  })
})
