import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, cgroupFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { smallCount } from '../../../test/fixtures/procfs/honest.ts'
import { MemoryStat, parseMemoryStat, parseMemoryStatOfV1 } from './memory-stat.ts'

const parsed = (parse: typeof parseMemoryStat, content: Uint8Array): MemoryStat | false => {
  const into = new MemoryStat()
  return parse(content, content.length, into) && into
}

describe('parseMemoryStatOfV1', () => {
  it('reads a captured file', () => {
    expect(parsed(parseMemoryStatOfV1, cgroupFixture('memory-stat-6.18-v1'))).toEqual({
      anonymousBytes: 18_104_320,
      sharedBytes: 13_078_528,
      fileBytes: 278_175_744 - 13_078_528,
      swapBytes: 0,
    })
  })

  it('takes the totals of the tree, not the cgroup’s own part', () => {
    fc.assert(
      fc.property(smallCount, smallCount, (swap, anonymous) => {
        const content = `rss 9\nswap 5\ntotal_cache 3\ntotal_rss ${anonymous}\ntotal_swap ${swap}\n`
        expect(parsed(parseMemoryStatOfV1, bytes(content))).toMatchObject({
          swapBytes: swap,
          anonymousBytes: anonymous,
          fileBytes: 3,
        })
      }),
    )
  })

  it('has no answer for garbage', () => {
    expect(parsed(parseMemoryStatOfV1, bytes('swap 5\n'))).toBe(false)
    expect(parsed(parseMemoryStatOfV1, bytes('total_swap -5\n'))).toBe(false)
  })
})

describe('parseMemoryStat', () => {
  it('reads a captured file', () => {
    expect(parsed(parseMemoryStat, cgroupFixture('memory-stat-6.1-v2'))).toEqual({
      anonymousBytes: 41_943_040,
      sharedBytes: 4096,
      fileBytes: 8_388_608 - 4096,
      swapBytes: Number.NaN,
    })
  })

  it('does without what older kernels do not tell', () => {
    expect(parsed(parseMemoryStat, bytes('anon 4096\nfile 8192\n'))).toMatchObject({
      anonymousBytes: 4096,
      fileBytes: 8192,
    })
    expect(parsed(parseMemoryStat, bytes('file 8192\n'))).toBe(false)
  })
})
