import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, cgroupFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { count } from '../../../test/fixtures/procfs/honest.ts'
import { parseSwapOfV1 } from './memory-stat.ts'

const swap = (content: Uint8Array): number => parseSwapOfV1(content, content.length)

describe('parseSwapOfV1', () => {
  it('reads a captured file', () => {
    expect(swap(cgroupFixture('memory-stat-6.18-v1'))).toBe(0)
  })

  it('takes the total of the tree, not the cgroup’s own part', () => {
    fc.assert(
      fc.property(count, (total) => {
        expect(swap(bytes(`swap 5\nswapcached 6\ntotal_swap ${total}\ntotal_swapcached 7\n`))).toBe(
          total,
        )
      }),
    )
  })

  it('has no answer for garbage', () => {
    expect(swap(bytes('swap 5\n'))).toBeNaN()
    expect(swap(bytes('total_swap -5\n'))).toBeNaN()
  })
})
