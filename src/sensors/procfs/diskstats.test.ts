import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, smallCount } from '../../../test/fixtures/procfs/honest.ts'
import { DiskTotals, parseDiskstats } from './diskstats.ts'

const parsed = (content: Uint8Array): DiskTotals | false => {
  const into = new DiskTotals()
  return parseDiskstats(content, content.length, into) && into
}

const names = ['diskstats-6.18-vda', 'diskstats-5.10-many-disks', 'diskstats-4.18']
const line = (name: string, reads: number): string => `8 0 ${name} ${reads} 0 8 0 2 0 16 0 0 0 0\n`

describe('parseDiskstats', () => {
  it('reads a captured file', () => {
    const disks = parsed(procfsFixture('diskstats-6.18-vda'))
    expect(disks && disks.readBytes).toBeGreaterThan(1e9)
    expect(disks && disks.writes).toBeGreaterThan(1000)
  })

  it('counts each disk once: no partitions, no devices on top of others', () => {
    // sda, sdaa, nvme0n1, nvme0n10, nvme1n1, mmcblk0, xvda1, sr0
    expect(parsed(procfsFixture('diskstats-5.10-many-disks'))).toEqual({
      reads: 1000 + 1 + 300 + 3 + 70 + 5 + 7,
      readBytes: (20_000 + 8 + 6000 + 24 + 700 + 40 + 56) * 512,
      writes: 2000 + 2 + 400 + 4 + 70 + 6 + 8,
      writeBytes: (40_000 + 16 + 8000 + 32 + 700 + 48 + 64) * 512,
    })
  })

  it('tells of each disk by name', () => {
    const content = procfsFixture('diskstats-5.10-many-disks')
    const found: [string, number][] = []
    parseDiskstats(content, content.length, new DiskTotals(), (name, { reads }) =>
      found.push([name, reads]),
    )
    expect(found.filter(([, reads]) => reads > 0)).toEqual([
      ['sda', 1000],
      ['sdaa', 1],
      ['nvme0n1', 300],
      ['nvme0n10', 3],
      ['nvme1n1', 70],
      ['mmcblk0', 5],
      ['xvda1', 7],
    ])
  })

  it('reads the shorter lines of older kernels', () => {
    expect(parsed(procfsFixture('diskstats-4.18'))).toMatchObject({ reads: 1000, writes: 2000 })
  })

  it.each([
    ['sda', 'sda1', false],
    ['sda', 'sdb', true],
    ['sda', 'sdaa', true],
    ['nvme0n1', 'nvme0n1p12', false],
    ['nvme0n1', 'nvme0n10', true],
    ['mmcblk0', 'mmcblk0p1', false],
    ['xvda1', 'xvda2', true],
    ['vda', 'dm-0', false],
    ['vda', 'md0', false],
    ['vda', 'zram0', false],
    ['nvme0n1', 'nvme0c0n1', false],
  ])('after %s, is %s a disk of its own? %s', (first, second, isDisk) => {
    const content = bytes(line(first, 10) + line(second, 100))
    expect(parsed(content)).toMatchObject({ reads: isDisk ? 110 : 10 })
  })

  it('counts the ways to a multipath disk where the kernel leaves the disk itself at 0', () => {
    const silent = '259 0 nvme0n1 0 0 0 0 0 0 0 0 0 0 0\n'
    const ways = line('nvme0c0n1', 30) + line('nvme0c1n1', 40)
    expect(parsed(bytes(ways + silent + line('nvme1n1', 5)))).toMatchObject({ reads: 75 })
    expect(parsed(bytes(ways + line('nvme0n1', 70)))).toMatchObject({ reads: 70 })
  })

  it('adds up whatever disks there are', () => {
    fc.assert(
      fc.property(fc.array(smallCount, { maxLength: 20 }), (reads) => {
        const content = reads.map((count, index) => line(`nvme${index}n1`, count)).join('')
        const total = reads.reduce((sum, count) => sum + count, 0)
        const bytesRead = reads.length * 8 * 512
        expect(parsed(bytes(content))).toMatchObject({ reads: total, readBytes: bytesRead })
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parseDiskstats, () => new DiskTotals(), names.map(procfsFixture))
  })
})
