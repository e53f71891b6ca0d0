import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, cgroupFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, anyCount } from '../../../test/fixtures/procfs/honest.ts'
import { CpuStat, parseCpuStat } from './cpu-stat.ts'

const parsed = (content: Uint8Array): CpuStat | false => {
  const into = new CpuStat()
  return parseCpuStat(content, content.length, into) && into
}

const names = ['cpu-stat-6.18-no-controller', 'cpu-stat-5.10-limited']

describe('parseCpuStat', () => {
  it('reads a cgroup without the cpu controller', () => {
    const cpu = parsed(cgroupFixture('cpu-stat-6.18-no-controller'))
    expect(cpu).toMatchObject({ throttledSeconds: Number.NaN, throttledPeriods: Number.NaN })
    expect(cpu && cpu.userSeconds + cpu.systemSeconds).toBeCloseTo(cpu ? cpu.usageSeconds : 0, 3)
  })

  it('reads what a CPU limit did', () => {
    expect(parsed(cgroupFixture('cpu-stat-5.10-limited'))).toEqual({
      usageSeconds: 12.5,
      userSeconds: 10,
      systemSeconds: 2.5,
      throttledSeconds: 1.75,
      throttledPeriods: 25,
    })
  })

  it('reads back what was written', () => {
    fc.assert(
      fc.property(anyCount, anyCount, anyCount, (usage, user, system) => {
        const content = `usage_usec ${usage}\nuser_usec ${user}\nsystem_usec ${system}\n`
        expect(parsed(bytes(content))).toMatchObject({
          usageSeconds: usage / 1e6,
          userSeconds: user / 1e6,
          systemSeconds: system / 1e6,
        })
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parseCpuStat, () => new CpuStat(), names.map(cgroupFixture), {
      absent: ['throttledSeconds', 'throttledPeriods'],
    })
  })
})
