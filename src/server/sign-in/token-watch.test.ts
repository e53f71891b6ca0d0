import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { TokenWatch } from './token-watch.ts'

function watching() {
  const { clock, advance } = fakeSystem()
  const good = new Set(['a', 'b'])
  let looks = 0
  const watch = new TokenWatch(clock, (token) => {
    looks += 1
    return good.has(token)
  })
  return { watch, good, advance, looks: () => looks }
}

describe('the watch over tokens', () => {
  it('ends all that a revoked token has opened, and nothing of another', () => {
    const { watch, good, advance } = watching()
    const [first, second] = [watch.whileGood('a', 900), watch.whileGood('a', 900)]
    const other = watch.whileGood('b', 900)
    advance(2)
    expect([first.aborted, second.aborted, other.aborted]).toEqual([false, false, false])
    good.delete('a')
    advance(2)
    expect([first.aborted, second.aborted, other.aborted]).toEqual([true, true, false])
    good.delete('b')
    advance(2)
    expect(other.aborted).toBe(true)
  })

  it('looks once for however many streams, and rests when the last of them must be over', () => {
    const { watch, advance, looks } = watching()
    for (let stream = 0; stream < 1000; stream += 1) watch.whileGood('a', 9)
    advance(2)
    expect(looks()).toBe(1)
    watch.whileGood('a', 9)
    advance(20)
    const before = looks()
    expect(before).toBeLessThan(10)
    advance(60)
    expect(looks()).toBe(before)
  })

  it('begins anew with a token that is good again', () => {
    const { watch, good, advance } = watching()
    good.delete('a')
    const before = watch.whileGood('a', 900)
    advance(2)
    good.add('a')
    const after = watch.whileGood('a', 900)
    advance(2)
    expect([before.aborted, after.aborted]).toEqual([true, false])
  })
})
