import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, count } from '../../../test/fixtures/procfs/honest.ts'
import { parseStatm, ProcessStatm } from './statm.ts'

const parsed = (content: Uint8Array): ProcessStatm | false => {
  const into = new ProcessStatm()
  return parseStatm(content, content.length, into) && into
}

describe('parseStatm', () => {
  it('reads a captured file', () => {
    const statm = parsed(procfsFixture('statm-6.18-sleep'))
    expect(statm && statm.residentPages).toBeGreaterThan(100)
    expect(statm && statm.sharedPages).toBeLessThan(statm ? statm.residentPages : 0)
    expect(statm && statm.sizePages).toBeGreaterThan(statm ? statm.residentPages : 0)
  })

  it('reads zeros for a kernel thread', () => {
    const statm = parsed(procfsFixture('statm-6.18-kernel-thread'))
    expect(statm).toEqual({ sizePages: 0, residentPages: 0, sharedPages: 0 })
  })

  it('reads back what was written, but no cut number', () => {
    fc.assert(
      fc.property(count, count, count, (size, resident, shared) => {
        const line = `${size} ${resident} ${shared} 5 0 123 0\n`
        const expected = { sizePages: size, residentPages: resident, sharedPages: shared }
        expect(parsed(bytes(line))).toEqual(expected)
        expect(parsed(bytes(`${size} ${resident} ${shared}`))).toBe(false)
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parseStatm, () => new ProcessStatm(), [procfsFixture('statm-6.18-sleep')])
  })
})
