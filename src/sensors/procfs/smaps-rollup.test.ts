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
  })

  it('reads back what was written, and no line of which the key is only the beginning', () => {
    fc.assert(
      fc.property(smallCount, smallCount, smallCount, (rss, pss, dirty) => {
        const content = `0-f ---p 0 00:00 0 [rollup]\nRss: ${rss} kB\nPss_Dirty: ${dirty} kB\n`
        expect(parsed(bytes(`${content}Pss: ${pss} kB\n`))).toEqual({ pssBytes: pss * 1024 })
        expect(parsed(bytes(content))).toBe(false)
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parseSmapsRollup, () => new SmapsRollup(), fixtures)
  })
})
