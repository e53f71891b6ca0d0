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
  return { tryAfter }
}

describe('a ration', () => {
  it('holds back what is dear', () => {
    const { tryAfter } = costing(0.01)
    expect([0, 0.1, 0.5, 0.1, 0.2, 0.5].map(tryAfter)).toEqual([
      true,
      false,
      true,
      false,
      false,
      true,
    ])
  })

  it('never holds back what is cheap', () => {
    const { tryAfter } = costing(0.0005)
    expect([0, 0.001, 0.001].map(tryAfter)).toEqual([true, true, true])
  })
})
