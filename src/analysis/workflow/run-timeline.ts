/** A job of a workflow with its attempts, as the timeline needs it. */
export interface TimelineJob {
  readonly name: string
  readonly dependsOn: readonly string[]
  /** In order of time. */
  readonly attempts: readonly TimelineAttempt[]
}

export interface TimelineAttempt {
  readonly runId: number
  readonly startedAt: number
  /** null while it runs. */
  readonly endedAt: number | null
}

export interface TimelineRun {
  readonly runId: number
  readonly startedAt: number
  readonly endedAt: number | null
}

/** Seconds since the first run began, with the time between runs left out. */
export interface Timeline {
  readonly seconds: number
  /** Where each run begins. */
  readonly runs: readonly { readonly runId: number; readonly at: number }[]
  /** For each job, in the order given. */
  readonly jobs: readonly TimelineBar[]
}

export interface TimelineBar {
  /** From when on nothing but resources kept it from starting; null where it has not run. */
  readonly readyAt: number | null
  readonly attempts: readonly { readonly from: number; readonly to: number }[]
  /** On the chain of jobs that decided when the last one ended. */
  readonly isCritical: boolean
}

export function runTimeline(
  jobs: readonly TimelineJob[],
  runs: readonly TimelineRun[],
  now: number,
): Timeline {
  const clock = new RunClock(runs, jobs, now)
  const bars = jobs.map(({ attempts }) =>
    attempts.map(({ runId, startedAt, endedAt }) => ({
      runId,
      from: clock.at(runId, startedAt),
      to: clock.at(runId, endOr(startedAt, endedAt, now)),
    })),
  )
  const position = new Map(jobs.map(({ name }, index) => [name, index]))
  const endOf = (index: number): number => bars[index]?.at(-1)?.to ?? -Infinity
  const critical = criticalChain(jobs, position, endOf)
  return {
    seconds: clock.total,
    runs: clock.runs,
    jobs: bars.map((attempts, index) => {
      const first = attempts[0]
      const ends = (jobs[index]?.dependsOn ?? []).map((name) => endOf(position.get(name) ?? -1))
      return {
        // A dependency that was run again later did not hold up this attempt.
        readyAt:
          first === undefined
            ? null
            : Math.min(first.from, Math.max(clock.startOf(first.runId), ...ends)),
        attempts: attempts.map(({ from, to }) => ({ from, to })),
        isCritical: critical.has(index),
      }
    }),
  }
}

/** From the job that ended last back along the dependencies that ended last. */
function criticalChain(
  jobs: readonly TimelineJob[],
  position: ReadonlyMap<string, number>,
  endOf: (index: number) => number,
): ReadonlySet<number> {
  const latest = (among: Iterable<number>): number => {
    let found = -1
    for (const index of among)
      if (endOf(index) > -Infinity && (found < 0 || endOf(index) > endOf(found))) found = index
    return found
  }
  const chain = new Set<number>()
  let next = latest(jobs.keys())
  while (next >= 0 && !chain.has(next)) {
    chain.add(next)
    next = latest((jobs[next]?.dependsOn ?? []).map((name) => position.get(name) ?? -1))
  }
  return chain
}

/** `now` for what still runs. The clock may have been set back since a start: nothing ends before that. */
const endOr = (startedAt: number, endedAt: number | null, now: number): number =>
  Math.max(startedAt, endedAt ?? now)

class RunClock {
  readonly total: number
  readonly runs: readonly { readonly runId: number; readonly at: number }[]
  readonly #begins = new Map<number, { readonly startedAt: number; readonly at: number }>()

  constructor(runs: readonly TimelineRun[], jobs: readonly TimelineJob[], now: number) {
    const lastEnds = new Map<number, number>()
    for (const { attempts } of jobs)
      for (const { runId, startedAt, endedAt } of attempts) {
        const end = endOr(startedAt, endedAt, now)
        lastEnds.set(runId, Math.max(lastEnds.get(runId) ?? startedAt, end))
      }
    let at = 0
    for (const { runId, startedAt, endedAt } of runs.toSorted((a, b) => a.runId - b.runId)) {
      const lastEnd = lastEnds.get(runId)
      // A run in which nothing of what is shown ran takes no room.
      if (lastEnd === undefined) continue
      this.#begins.set(runId, { startedAt, at })
      at += Math.max(startedAt, lastEnd, endedAt ?? lastEnd) - startedAt
    }
    this.total = at
    this.runs = [...this.#begins].map(([runId, begin]) => ({ runId, at: begin.at }))
  }

  startOf(runId: number): number {
    return this.#begins.get(runId)?.at ?? 0
  }

  at(runId: number, seconds: number): number {
    const begin = this.#begins.get(runId)
    return begin === undefined ? 0 : Math.max(begin.at, begin.at + seconds - begin.startedAt)
  }
}
