import type { Clock } from '../../system/system.ts'
import { Buckets } from './buckets.ts'

/** Whoever finds a fault can have it happen thousands of times a second, and must not fill a disk by it. */
const faults = { perSecond: 0.2, burst: 20 }
const mostCharacters = 4000

/** Writes down our own faults, each with where it happened, as long as they are not too many. */
export function faultLog(write: (words: string) => void, clock: Clock): (error: unknown) => void {
  const buckets = new Buckets(faults, () => clock.monotonicSeconds())
  let leftOut = 0
  return (error) => {
    if (buckets.take('fault') > 0) {
      leftOut += 1
      return
    }
    const more = leftOut === 0 ? '' : `\n${leftOut} faults before this one were left out`
    leftOut = 0
    write(`${wordsOf(error).slice(0, mostCharacters)}${more}`)
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
