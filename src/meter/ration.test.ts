import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../system/fake.ts'
import { Ration } from './ration.ts'

/** Work that costs so much each time. */
function costing(seconds: number) {
  const fake = fakeSystem()
  let spentSeconds = 0
  const processes = { ...fake.processes, ownThreadCpuSeconds: () => spentSeconds }
  const ration = new Ration({ ...fake, processes })
  const tryAfter = (waitSeconds: number): boolean => {
    fake.advance(waitSeconds)
    return ration.spend(() => void (spentSeconds += seconds))
  }
  return { ration, tryAfter }
}

describe('a ration', () => {
  it('holds back what is dear, and tells for how long: at the longest, and in all', () => {
    const { ration, tryAfter } = costing(0.01)
    expect([0, 0.1, 0.5, 0.1, 0.2, 0.5].map(tryAfter)).toEqual([
      true,
      false,
      true,
      false,
      false,
      true,
    ])
    expect(ration.waitedSeconds).toBeCloseTo(0.7)
    expect(ration.waitedInAllSeconds).toBeCloseTo(0.5 + 0.7)
  })

  it('tells in all of what still waits, too', () => {
    const { ration, tryAfter } = costing(0.01)
    tryAfter(0)
    tryAfter(0.1)
    tryAfter(0.3)
    expect(ration.waitedInAllSeconds).toBeCloseTo(0.3)
  })

  it('never holds back what is cheap', () => {
    const { ration, tryAfter } = costing(0.0005)
    expect([0, 0.001, 0.001].map(tryAfter)).toEqual([true, true, true])
    expect(ration.waitedInAllSeconds).toBe(0)
  })
})
