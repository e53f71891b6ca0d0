import { useSignal, type ReadonlySignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError, ask } from './api.ts'

/** What was asked for: not there yet, there, or why not. What was there before stays until there is something newer. */
export interface Asked<T> {
  readonly value: T | undefined
  readonly error: ApiError | undefined
  readonly isWaiting: boolean
}

/** Asks whenever the path changes; undefined asks nothing. `again` asks once more, as after an event. */
export function useAsked<T>(
  path: string | undefined,
  again: unknown = 0,
): ReadonlySignal<Asked<T>> {
  const asked = useSignal<Asked<T>>({ value: undefined, error: undefined, isWaiting: true })
  useEffect(() => {
    if (path === undefined) return undefined
    const { signal, abort } = abortable()
    asked.value = { ...asked.value, isWaiting: true }
    const answer = async (): Promise<void> => {
      try {
        const value = await ask<T>(path, { signal })
        asked.value = { value, error: undefined, isWaiting: false }
      } catch (error) {
        if (signal.aborted) return
        const told = error instanceof ApiError ? error : new ApiError(0, String(error))
        asked.value = { ...asked.value, error: told, isWaiting: false }
      }
    }
    void answer()
    return abort
  }, [path, again])
  return asked
}

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
