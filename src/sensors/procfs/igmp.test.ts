import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { parseIgmp } from './igmp.ts'

function parsed(content: Uint8Array): Map<string, number> {
  const into = new Map([['before', 1]])
  parseIgmp(content, content.length, into)
  return into
}

describe('parseIgmp', () => {
  it('reads a captured file: what is down is not in it', () => {
    expect(Object.fromEntries(parsed(procfsFixture('igmp-6.18')))).toEqual({
      lo: 1,
      'a-long-name-15c': 2,
      e0: 3,
    })
  })

  it('is of no interface where there is none', () => {
    expect(parsed(bytes(''))).toEqual(new Map())
    expect(parsed(bytes('Idx\tDevice    : Count Querier\n'))).toEqual(new Map())
  })

  it('knows no other interface where the file is cut', () => {
    const whole = procfsFixture('igmp-6.18')
    const all = [...parsed(whole)]
    fc.assert(
      fc.property(fc.nat({ max: whole.length }), (length) => {
        const some = [...parsed(whole.slice(0, length))]
        expect(some).toEqual(all.slice(0, some.length))
      }),
    )
  })
})
