import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, cgroupFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, anyCount } from '../../../test/fixtures/procfs/honest.ts'
import { CpuacctStat, parseCpuacctStat, parseCpuacctUsage } from './cpuacct.ts'

const usage = (content: Uint8Array): number => parseCpuacctUsage(content, content.length)

describe('cpuacct', () => {
  it('reads nanoseconds', () => {
    expect(usage(cgroupFixture('cpuacct-usage-6.18'))).toBeGreaterThan(10)
    fc.assert(
      fc.property(anyCount, (nanoseconds) => {
        expect(usage(bytes(`${nanoseconds}\n`))).toBe(nanoseconds / 1e9)
      }),
    )
  })

  it('counts on after 104 CPU days, which 128 cores use in one', () => {
    expect(usage(bytes('20000000000000000\n'))).toBe(2e7)
  })

  it.each(['', '12', '-5\n', `${'9'.repeat(40)}\n`, 'max\n'])('does not take %j', (content) => {
    expect(usage(bytes(content))).toBeNaN()
  })

  it('reads ticks', () => {
    const content = cgroupFixture('cpuacct-stat-6.18')
    const into = new CpuacctStat()
    const parse = (from: Uint8Array, length: number, to: CpuacctStat) =>
      parseCpuacctStat(from, length, 100, to)
    expect(parse(content, content.length, into)).toBe(true)
    expect(into.userSeconds).toBeGreaterThan(10)
    expect(parse(bytes('user 250\nsystem 50\n'), 19, into)).toBe(true)
    expect(into).toEqual({ userSeconds: 2.5, systemSeconds: 0.5 })
    checkHonest(parse, () => new CpuacctStat(), [content])
  })
})
