import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, anyCount } from '../../../test/fixtures/procfs/honest.ts'
import { parseSchedstat, Schedstat } from './schedstat.ts'

const parsed = (content: Uint8Array): Schedstat | false => {
  const into = new Schedstat()
  return parseSchedstat(content, content.length, into) && into
}

describe('parseSchedstat', () => {
  it('reads a captured file', () => {
    const schedstat = parsed(procfsFixture('schedstat-6.18-sleep'))
    expect(schedstat && schedstat.runSeconds).toBeGreaterThan(0)
    expect(schedstat && schedstat.runSeconds).toBeLessThan(1)
  })

  it('counts on after 104 days, where nanoseconds outgrow the exact range of a double', () => {
    expect(parsed(bytes('10000000000000000 12000000000000000 5\n'))).toEqual({
      runSeconds: 1e7,
      waitSeconds: 1.2e7,
      slices: 5,
    })
    expect(parsed(bytes(`${'9'.repeat(40)} 0 5\n`))).toBe(false)
  })

  it('reads back what was written', () => {
    fc.assert(
      fc.property(anyCount, anyCount, anyCount, (run, wait, slices) => {
        const expected = { runSeconds: run / 1e9, waitSeconds: wait / 1e9, slices }
        expect(parsed(bytes(`${run} ${wait} ${slices}\n`))).toEqual(expected)
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parseSchedstat, () => new Schedstat(), [procfsFixture('schedstat-6.18-sleep')])
  })
})
