import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes } from '../../test/fixtures/procfs/fixture.ts'
import { parsePids } from './pid-list.ts'

const pid = fc.integer({ min: 1, max: 2 ** 22 })

describe('parsePids', () => {
  it('reads back any list, with blanks or line ends, after what is there', () => {
    fc.assert(
      fc.property(fc.array(pid), fc.constantFrom(' ', '\n'), (pids, end) => {
        const content = bytes(pids.map((each) => `${each}${end}`).join(''))
        const into = [7]
        expect(parsePids(content, content.length, into)).toBe(true)
        expect(into).toEqual([7, ...pids])
      }),
    )
  })

  it('leaves out the 0 of a process in another pid namespace', () => {
    const into: number[] = []
    expect(parsePids(bytes('0\n12\n0\n'), 7, into)).toBe(true)
    expect(into).toEqual([12])
  })

  it.each(['12', '-1\n', '1x\n', `${'9'.repeat(40)}\n`, '4194305\n'])(
    'does not take %j',
    (line) => {
      expect(parsePids(bytes(line), line.length, [])).toBe(false)
    },
  )

  it('adds only pids, whatever it reads', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (content) => {
        const into: number[] = []
        parsePids(content, content.length, into)
        expect(into.every((each) => Number.isInteger(each) && each > 0)).toBe(true)
      }),
    )
  })
})
