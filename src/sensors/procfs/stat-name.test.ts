import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { statName } from './stat-name.ts'

const nameIn = (line: Uint8Array): string => statName(line, line.length)
const encoded = (line: string): Uint8Array => new TextEncoder().encode(line)

describe('statName', () => {
  it.each([
    ['sleep', 'sleep'],
    ['odd-name', '(a) b (c)\n) S 1'],
  ])('finds the name in the line of %s', (fixture, name) => {
    expect(nameIn(procfsFixture(`stat-6.18-${fixture}`))).toBe(name)
  })

  it('answers any name that a task can have', () => {
    const name = fc
      .string({ unit: 'binary-ascii', minLength: 1, maxLength: 15 })
      .filter((text) => !text.includes('\0'))
    fc.assert(
      fc.property(name, (text) => {
        expect(nameIn(encoded(`12 (${text}) S 1 12 12 0 -1 4194304 0 0 0 0 7 3 0 0 20 0`))).toBe(
          text,
        )
      }),
    )
  })

  it.each(['', '12 ', '12 (', '12 (cut', '12 ()'])('answers nothing for %j', (line) => {
    expect(nameIn(encoded(line))).toBe('')
  })
})
