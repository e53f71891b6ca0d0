import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, cgroupFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, smallCount } from '../../../test/fixtures/procfs/honest.ts'
import { CgroupIo, parseIoStat } from './io-stat.ts'

const parsed = (content: Uint8Array): CgroupIo | false => {
  const into = new CgroupIo()
  return parseIoStat(content, content.length, into) && into
}

describe('parseIoStat', () => {
  it('adds up the devices', () => {
    expect(parsed(cgroupFixture('io-stat-5.10'))).toEqual({
      readBytes: 1_052_672,
      writeBytes: 2_105_344,
      reads: 101,
      writes: 202,
    })
  })

  it('reads lines that a kernel ran together', () => {
    const expected = { readBytes: 1_048_576, writeBytes: 2_097_152, reads: 100, writes: 200 }
    expect(parsed(cgroupFixture('io-stat-5.15-joined-lines'))).toEqual(expected)
  })

  it('reads past devices without a number, and a device that has no figures yet', () => {
    const content = '(unknown) rbytes=5 wbytes=6 rios=1 wios=2 dbytes=0 dios=0\n252:0 '
    expect(parsed(bytes(content))).toEqual({ readBytes: 5, writeBytes: 6, reads: 1, writes: 2 })
  })

  it('takes an empty file for no I/O yet', () => {
    expect(parsed(bytes(''))).toEqual({ readBytes: 0, writeBytes: 0, reads: 0, writes: 0 })
  })

  it('adds up whatever devices there are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(smallCount, smallCount)), (devices) => {
        const lines = devices.map(
          ([read, written], index) =>
            `8:${index} rbytes=${read} wbytes=${written} rios=1 wios=2 dbytes=9 dios=9\n`,
        )
        expect(parsed(bytes(lines.join('')))).toEqual({
          readBytes: devices.reduce((sum, [read]) => sum + read, 0),
          writeBytes: devices.reduce((sum, [, written]) => sum + written, 0),
          reads: devices.length,
          writes: devices.length * 2,
        })
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parseIoStat, () => new CgroupIo(), [cgroupFixture('io-stat-5.10')])
  })
})
