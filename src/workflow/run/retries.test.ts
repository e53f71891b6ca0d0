import { describe, expect, it } from 'vitest'
import type { FailureHandler, FailureRule } from '../../model/workflow.ts'
import { Retries } from './retries.ts'

const rule = (exitCodes: readonly number[] | null, maxRetries: number): FailureRule => ({
  exitCodes,
  recoveryScript: null,
  maxRetries,
})
const handler = (...rules: FailureRule[]): FailureHandler => ({ name: 'retry', rules })

describe('retries', () => {
  it('are given by the first rule that fits, as often as it says', () => {
    const [memory, any] = [rule([137, 139], 2), rule(null, 1)]
    const retries = new Retries()
    const take = (exitCode: number | null) => retries.take(handler(memory, any), exitCode)
    expect([take(137), take(1), take(139)]).toEqual([memory, any, memory])
    // The rule for its code is used up; the one for any code does not stand in for it.
    expect([take(137), take(1), take(null)]).toEqual([undefined, undefined, undefined])
  })

  it('count for each job by itself', () => {
    const once = handler(rule(null, 1))
    const [a, b] = [new Retries(), new Retries()]
    expect(a.take(once, 1)).toBeDefined()
    expect(b.take(once, 1)).toBeDefined()
    expect(a.take(once, 1)).toBeUndefined()
  })

  it('are none without a handler, or a rule that fits', () => {
    expect(new Retries().take(null, 1)).toBeUndefined()
    expect(new Retries().take(handler(rule([2], 9)), 1)).toBeUndefined()
    expect(new Retries().take(handler(rule([2], 9)), null)).toBeUndefined()
  })
})
