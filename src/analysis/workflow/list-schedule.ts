/** A job that waits or runs, and how much longer it will take. */
export interface JobAhead {
  readonly name: string
  readonly seconds: number
  readonly isRunning: boolean
  /** Names of jobs that must have ended before it starts; those that are not ahead have. Jobs may share one list. */
  readonly waitsFor: readonly string[]
}

interface Barrier {
  left: number
  readonly jobs: number[]
}

/**
 * After how many seconds all of them have ended, if so many run at once and each that may start takes the next free place, in
 * their order. With places for all, it is the length of the critical path.
 */
export function scheduleSeconds(jobs: readonly JobAhead[], places: number): number {
  const { ready, after } = barriersOf(jobs)
  /** The end that comes first is the last one. */
  const running: { readonly endsAt: number; readonly job: number }[] = []
  const begin = (job: number, now: number): void => {
    const endsAt = now + (jobs[job]?.seconds ?? 0)
    let [low, high] = [0, running.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((running[middle]?.endsAt ?? 0) > endsAt) low = middle + 1
      else high = middle
    }
    running.splice(low, 0, { endsAt, job })
  }
  jobs.forEach(({ isRunning }, job) => {
    if (isRunning) begin(job, 0)
  })
  let [next, now] = [0, 0]
  for (;;) {
    while (next < ready.length && (running.length < places || running.length === 0))
      begin(ready[next++] ?? 0, now)
    const ended = running.pop()
    if (ended === undefined) return now
    now = ended.endsAt
    for (const barrier of after.get(ended.job) ?? []) {
      barrier.left -= 1
      if (barrier.left === 0) for (const job of barrier.jobs) ready.push(job)
    }
  }
}

/** Which jobs may start now, and what waits for which of them: thousands may wait for the same thousand. */
function barriersOf(jobs: readonly JobAhead[]): {
  readonly ready: number[]
  readonly after: ReadonlyMap<number, readonly Barrier[]>
} {
  const places = new Map(jobs.map(({ name }, job) => [name, job]))
  const barriers = new Map<readonly string[], Barrier>()
  const after = new Map<number, Barrier[]>()
  const ready: number[] = []
  jobs.forEach(({ isRunning, waitsFor }, job) => {
    if (isRunning) return
    let barrier = barriers.get(waitsFor)
    if (barrier === undefined) {
      const before = waitsFor.flatMap((name) => places.get(name) ?? [])
      barrier = { left: before.length, jobs: [] }
      barriers.set(waitsFor, barrier)
      for (const one of before) {
        const known = after.get(one)
        if (known === undefined) after.set(one, [barrier])
        else known.push(barrier)
      }
    }
    if (barrier.left === 0) ready.push(job)
    else barrier.jobs.push(job)
  })
  return { ready, after }
}
