import { isWaiting } from './job-state.ts'

/** Since 23.02 numbers that may be missing are `{set, infinite, number}`. */
export function numberIn(told: unknown): number | null {
  if (typeof told === 'number') return told
  const { set, number } = (told ?? {}) as { readonly set?: unknown; readonly number?: unknown }
  return set === true && typeof number === 'number' ? number : null
}

/**
 * The state of a job. Since 23.11 it is a list: a state and what is said besides, such as that its processes are still being
 * ended. Of several, the one that `squeue` shows in its columns.
 */
export function stateIn(told: unknown): string | undefined {
  const words: readonly unknown[] = Array.isArray(told) ? told : [told]
  const states = words.filter((word) => typeof word === 'string')
  return (
    states.find((state) => state === 'COMPLETING') ??
    states.find((state) => isWaiting({ state })) ??
    states[0]
  )
}

/** The jobs of an answer, each as `read` reads it; undefined where it is not JSON, or not of a shape that is known here. */
export function jobsIn<Job>(
  text: string,
  read: (job: unknown) => readonly Job[] | undefined,
): Job[] | undefined {
  try {
    const { jobs } = JSON.parse(text) as { jobs?: unknown }
    if (!Array.isArray(jobs)) return undefined
    const found = jobs.map(read)
    return found.every((each) => each !== undefined) ? found.flat() : undefined
  } catch {
    return undefined
  }
}
