import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { LoopDelay } from './loop-delay.ts'

describe('how late events are', () => {
  it('is at least as long as something else kept them waiting, and then forgotten', async () => {
    const delay = new LoopDelay()
    await wait(250)
    expect(delay.take()).not.toBeNull()
    const until = performance.now() + 400
    while (performance.now() < until);
    await wait(1)
    const told = delay.take()
    // The timer was due at any time within the first 100 ms.
    expect(told?.mostSeconds).toBeGreaterThan(0.29)
    expect(told?.meanSeconds).toBeGreaterThan(0)
    expect(delay.take()).toBeNull()
    delay.close()
  })
})
