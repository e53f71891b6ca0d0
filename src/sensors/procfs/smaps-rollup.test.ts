import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, smallCount } from '../../../test/fixtures/procfs/honest.ts'
import { parseSmapsRollup, SmapsRollup } from './smaps-rollup.ts'

const parsed = (content: Uint8Array): SmapsRollup | false => {
  const into = new SmapsRollup()
  return parseSmapsRollup(content, content.length, into) && into
}

const fixtures = ['6.18', '5.10'].map((kernel) => procfsFixture(`smaps-rollup-${kernel}-sleep`))

describe('parseSmapsRollup', () => {
  it('reads files with and without the lines of newer kernels alike', () => {
    const [newer, older] = fixtures.map(parsed)
    expect(newer).toEqual(older)
    expect(newer && newer.pssBytes).toBeGreaterThan(0)
    expect(newer && newer.pssBytes).toBeLessThan(newer ? newer.rssBytes : 0)
    expect(newer).toMatchObject({ swapBytes: 0, swapPssBytes: 0 })
  })

  it('reads back what was written and leaves swap open where there is no line', () => {
    fc.assert(
      fc.property(smallCount, smallCount, smallCount, (rss, pss, swapPss) => {
        const content = `0-f ---p 0 00:00 0 [rollup]\nRss: ${rss} kB\nPss: ${pss} kB\n`
        const expected = { rssBytes: rss * 1024, pssBytes: pss * 1024, swapBytes: Number.NaN }
        expect(parsed(bytes(`${content}SwapPss: ${swapPss} kB\n`))).toEqual({
          ...expected,
          swapPssBytes: swapPss * 1024,
        })
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parseSmapsRollup, () => new SmapsRollup(), fixtures, {
      absent: ['swapBytes', 'swapPssBytes'],
    })
  })
})
