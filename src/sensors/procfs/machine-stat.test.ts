import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, smallCount } from '../../../test/fixtures/procfs/honest.ts'
import { MachineStat, parseMachineStat } from './machine-stat.ts'

const parse = (content: Uint8Array, length: number, into: MachineStat): boolean =>
  parseMachineStat(content, length, 100, into)

const parsed = (content: Uint8Array): MachineStat | false => {
  const into = new MachineStat()
  return parse(content, content.length, into) && into
}

const fixtures = ['6.18-2-cores', '5.14-256-cores'].map((name) =>
  procfsFixture(`machine-stat-${name}`),
)

describe('parseMachineStat', () => {
  it('reads a captured file', () => {
    const stat = parsed(procfsFixture('machine-stat-6.18-2-cores'))
    expect(stat && stat.idleSeconds).toBeGreaterThan(stat ? stat.busySeconds : 0)
    expect(stat && stat.busySeconds).toBeGreaterThan(1)
    expect(stat && stat.forks).toBeGreaterThan(1000)
    expect(stat && stat.bootSeconds).toBeGreaterThan(1_700_000_000)
  })

  it('finds the lines after a long one and counts guests once', () => {
    expect(parsed(procfsFixture('machine-stat-5.14-256-cores'))).toEqual({
      busySeconds: 393.6,
      ioWaitSeconds: 10.24,
      idleSeconds: 25_600,
      stealSeconds: 0.64,
      forks: 424_242,
      bootSeconds: 1_700_000_000,
    })
  })

  it('reads back what was written', () => {
    fc.assert(
      fc.property(fc.array(smallCount, { minLength: 10, maxLength: 10 }), (numbers) => {
        const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0] = numbers
        const [irq = 0, softIrq = 0, steal = 0] = numbers.slice(5)
        const stat = parsed(bytes(`cpu  ${numbers.join(' ')}\nbtime 5\nprocesses 6\n`))
        expect(stat).toEqual({
          busySeconds: (user + nice + system + irq + softIrq + steal) / 100,
          ioWaitSeconds: ioWait / 100,
          idleSeconds: idle / 100,
          stealSeconds: steal / 100,
          forks: 6,
          bootSeconds: 5,
        })
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parse, () => new MachineStat(), fixtures, { absent: ['forks', 'bootSeconds'] })
  })
})
