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
    expect(newer && newer.pssBytes).toBeGreaterThan(0)
    expect(older && older.pssBytes).toBe(newer && newer.pssBytes)
  })

  it('reads back what was written, and no line of which the key is only the beginning', () => {
    fc.assert(
      fc.property(smallCount, smallCount, smallCount, (rss, pss, dirty) => {
        const content = `0-f ---p 0 00:00 0 [rollup]\nRss: ${rss} kB\nPss_Dirty: ${dirty} kB\n`
        expect(parsed(bytes(`${content}Pss: ${pss} kB\n`))).toMatchObject({ pssBytes: pss * 1024 })
        expect(parsed(bytes(content))).toBe(false)
      }),
    )
  })

  it('tells how much a process would get of its own by writing to what it shares', () => {
    const told = (...lines: readonly string[]): number | undefined => {
      const read = parsed(bytes(`Rss: 1000 kB\nPss: 400 kB\n${lines.join('\n')}\n`))
      return read === false ? undefined : read.sharedAnonymousBytes / 1024
    }
    expect(told('Pss_Anon: 100 kB', 'Anonymous: 300 kB')).toBe(200)
    expect(told('Pss_Anon: 301 kB', 'Anonymous: 300 kB')).toBe(0)
    expect(told('Anonymous: 300 kB')).toBe(600)
  })

  it('is honest about garbage', () => {
    checkHonest(parseSmapsRollup, () => new SmapsRollup(), fixtures)
  })
})
