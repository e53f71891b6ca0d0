import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, anyCount } from '../../../test/fixtures/procfs/honest.ts'
import { parsePressure, Pressure } from './pressure.ts'

const parsed = (content: Uint8Array): Pressure | false => {
  const into = new Pressure()
  return parsePressure(content, content.length, into) && into
}

const names = ['pressure-6.18-io', 'pressure-6.18-cpu', 'pressure-5.10-cpu']

describe('parsePressure', () => {
  it('reads a captured file', () => {
    const pressure = parsed(procfsFixture('pressure-6.18-io'))
    expect(pressure && pressure.someSeconds).toBeGreaterThan(1)
    expect(pressure && pressure.fullSeconds).toBeLessThan(pressure ? pressure.someSeconds : 0)
  })

  it('has no full figure where the kernel gives none', () => {
    const expected = { someSeconds: 157.622151, fullSeconds: Number.NaN }
    expect(parsed(procfsFixture('pressure-5.10-cpu'))).toEqual(expected)
  })

  it('reads back what was written', () => {
    fc.assert(
      fc.property(anyCount, anyCount, (some, full) => {
        const averages = 'avg10=1.00 avg60=99.99 avg300=0.00'
        const content = `some ${averages} total=${some}\nfull ${averages} total=${full}\n`
        const expected = { someSeconds: some / 1e6, fullSeconds: full / 1e6 }
        expect(parsed(bytes(content))).toEqual(expected)
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parsePressure, () => new Pressure(), names.map(procfsFixture), {
      absent: ['fullSeconds'],
    })
  })
})
