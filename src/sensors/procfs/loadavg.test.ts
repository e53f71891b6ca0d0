import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, smallCount } from '../../../test/fixtures/procfs/honest.ts'
import { Loadavg, parseLoadavg } from './loadavg.ts'

const parsed = (content: Uint8Array): Loadavg | false => {
  const into = new Loadavg()
  return parseLoadavg(content, content.length, into) && into
}

describe('parseLoadavg', () => {
  it('reads a captured file', () => {
    const load = parsed(procfsFixture('loadavg-6.18'))
    expect(load && load.existing).toBeGreaterThan(10)
    expect(load && load.lastPid).toBeGreaterThan(1000)
  })

  it('reads back what was written', () => {
    fc.assert(
      fc.property(smallCount, fc.nat({ max: 99 }), smallCount, (whole, part, tasks) => {
        const average = `${whole}.${String(part).padStart(2, '0')}`
        const load = parsed(bytes(`${average} 0.05 12.50 3/${tasks} 77\n`))
        expect(load && load.one).toBeCloseTo(whole + part / 100, 6)
        expect(load).toMatchObject({ five: 0.05, fifteen: 12.5, runnable: 3, existing: tasks })
        expect(load).toMatchObject({ lastPid: 77 })
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parseLoadavg, () => new Loadavg(), [procfsFixture('loadavg-6.18')])
  })
})
