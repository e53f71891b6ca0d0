import { realClock } from './real-clock.ts'

/**
 * Waits until that is settled, however, but no longer than this. Meanwhile the program stays alive, whatever else it has to do:
 * Node would end it otherwise, with the exit code 13, in the middle of its `await`.
 */
export async function stayAliveFor(awaited: Promise<unknown>, seconds: number): Promise<void> {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>()
  const cancel = realClock.after(seconds, resolve)
  await Promise.race([Promise.allSettled([awaited]), tooLong])
  cancel()
}
