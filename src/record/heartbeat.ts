import type { Clock } from '../system/system.ts'

/** An owner gives a sign of life so often. */
export const beatSeconds = 10

/** Does something at equal times, until the answer is called. */
export function every(clock: Clock, seconds: number, action: () => void): () => void {
  const again = (): void => {
    action()
    cancel = clock.after(seconds, again)
  }
  let cancel = clock.after(seconds, again)
  return () => cancel()
}
