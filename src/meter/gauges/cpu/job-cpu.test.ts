import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CgroupUsage } from '../../../sensors/cgroup/cgroup-sensor.ts'
import { fakeSystem } from '../../../system/fake.ts'
import { JobCpu } from './job-cpu.ts'
import type { Members } from '../../members.ts'
import { Plausible } from '../../plausible.ts'

const { host } = fakeSystem()

/** A job whose cgroup tells these figures one after the other; its processes are never asked. */
function told(
  looks: readonly (readonly [usage: number, user: number, system: number])[],
  launcher = 0,
) {
  const plausible = new Plausible(host)
  plausible.update(1000, 2 ** 34, 0)
  const cpu = new JobCpu(host, plausible, () => launcher)
  return looks.map(([usageSeconds, userSeconds, systemSeconds]) => {
    const usage = Object.assign(new CgroupUsage(), { usageSeconds, userSeconds, systemSeconds })
    cpu.update(1, usage, undefined as unknown as Members, true)
    return [cpu.userSeconds, cpu.systemSeconds] as const
  })
}

describe('the CPU time of a job by its cgroup', () => {
  it('is what v2 says of each half', () => {
    expect(told([[1, 0.75, 0.25]])).toEqual([[0.75, 0.25]])
  })

  it('is not nothing where v1 has not counted a tick of either half', () => {
    expect(told([[0.0008, 0, 0]])).toEqual([[0.0008, 0]])
    expect(told([[0.0008, NaN, NaN]])).toEqual([[0.0008, 0]])
  })

  it('is divided as the ticks are', () => {
    expect(told([[0.5, 0.3, 0.1]])).toEqual([[expect.closeTo(0.375), expect.closeTo(0.125)]])
  })

  it('is without what the launcher used inside, which was in the kernel', () => {
    expect(told([[0.5, 0.3, 0.2]], 0.1)).toEqual([[expect.closeTo(0.3), expect.closeTo(0.1)]])
    expect(told([[0.05, 0, 0.05]], 0.1)).toEqual([[0, 0]])
  })

  it('adds up to the total and never goes back, whatever the halves do', () => {
    const seconds = fc.double({ min: 0, max: 100, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.tuple(seconds, seconds, seconds)), seconds, (looks, launcher) => {
        let most = 0
        let before: readonly [number, number] = [0, 0]
        told(looks, launcher).forEach((now, index) => {
          most = Math.max(most, (looks[index]?.[0] ?? 0) - launcher)
          expect(now[0] + now[1]).toBeCloseTo(most, 9)
          expect(now[0]).toBeGreaterThanOrEqual(before[0])
          expect(now[1]).toBeGreaterThanOrEqual(before[1])
          before = now
        })
      }),
    )
  })
})
