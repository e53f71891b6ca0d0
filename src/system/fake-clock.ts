import type { Clock } from './system.ts'

/** Two clocks that stand still until a test moves them on. */
export function fakeClock(wallStart: number) {
  let wall = wallStart
  let monotonic = 0
  const due: { at: number; callback: () => void }[] = []
  const clock: Clock = {
    wallSeconds: () => wall,
    monotonicSeconds: () => monotonic,
    bootSeconds: () => monotonic,
    after(seconds, callback) {
      const entry = { at: monotonic + seconds, callback }
      due.push(entry)
      return () => {
        const index = due.indexOf(entry)
        if (index >= 0) due.splice(index, 1)
      }
    },
  }
  return {
    clock,
    stepWallClock(seconds: number) {
      wall += seconds
    },
    stall(seconds: number) {
      wall += seconds
      monotonic += seconds
    },
    advance(seconds: number) {
      const target = monotonic + seconds
      for (;;) {
        const next = due.toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined || next.at > target) break
        due.splice(due.indexOf(next), 1)
        wall += next.at - monotonic
        monotonic = next.at
        next.callback()
      }
      wall += target - monotonic
      monotonic = target
    },
  }
}
