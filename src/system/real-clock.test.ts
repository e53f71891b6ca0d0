import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backgroundClock, realClock } from './real-clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe.each([
  ['the clock', realClock],
  ['the clock of what only looks on', backgroundClock],
])('%s', (_, clock) => {
  it.each([0.05, 3600, 25 * 86_400, 400 * 86_400])('calls back after %d s, once', (seconds) => {
    const called = vi.fn<() => void>()
    clock.after(seconds, called)
    vi.advanceTimersByTime(seconds * 1000 - 1)
    expect(called).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(called).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not call back what was called off, however long it has waited', () => {
    const called = vi.fn<() => void>()
    const callOff = clock.after(100 * 86_400, called)
    vi.advanceTimersByTime(60 * 86_400_000)
    callOff()
    vi.advanceTimersByTime(60 * 86_400_000)
    expect(called).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })
})
