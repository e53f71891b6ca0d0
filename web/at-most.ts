import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** A value that changes at most so often: the first change after a pause at once, the last one always. */
export function useAtMost<T>(value: T, everyMilliseconds: number): T {
  const shown = useSignal(value)
  const changedAt = useRef(performance.now())
  useEffect(() => {
    if (shown.peek() === value) return undefined
    const rest = changedAt.current + everyMilliseconds - performance.now()
    const change = (): void => {
      changedAt.current = performance.now()
      shown.value = value
    }
    const timer = setTimeout(change, Math.max(0, rest))
    return () => clearTimeout(timer)
  }, [value])
  return shown.value
}
