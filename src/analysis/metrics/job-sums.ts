import type { CountedAttempt } from '../../model/counted-attempt.ts'
import type { EndedSum, JobLabels, UsedSum } from '../../model/metric-facts.ts'
import type { AttemptStatus } from '../../model/outcome.ts'
import { keyOf, labelText, type LabelBook } from './label-book.ts'

/** What the attempts with the same labels come to. */
interface Sum extends JobLabels {
  readonly endings: Map<AttemptStatus, { attempts: number; since: number }>
  cpuSeconds: number
  wallSeconds: number
  memoryPeakBytes: number | null
  since: number
}

/**
 * Running sums over attempts that have ended, by user and name. Each attempt is added once, and nothing is taken away
 * again. `settle` gives labels to what was added before it, the biggest first; what comes later gets what is left.
 */
export class JobSums {
  readonly #book: LabelBook
  #sums = new Map<string, Sum>()
  #isSettled = false

  constructor(book: LabelBook) {
    this.#book = book
  }

  add(attempt: CountedAttempt): void {
    const { status, startedAt: since, durationSeconds, cpuSeconds, memoryPeakBytes } = attempt
    this.#put({
      ...(this.#isSettled ? this.#book.labelsOf(attempt) : cleaned(attempt)),
      endings: new Map([[status, { attempts: 1, since }]]),
      cpuSeconds: cpuSeconds ?? 0,
      wallSeconds: durationSeconds ?? 0,
      memoryPeakBytes,
      since,
    })
  }

  settle(): void {
    if (this.#isSettled) return
    this.#isSettled = true
    const found = [...this.#sums.values()]
    this.#sums = new Map()
    for (const sum of biggestFirst(found)) this.#put({ ...sum, ...this.#book.labelsOf(sum) })
  }

  get ended(): EndedSum[] {
    return [...this.#sums.values()].flatMap(({ user, name, endings }) =>
      [...endings].map(([status, ending]) => ({ user, name, status, ...ending })),
    )
  }

  get used(): UsedSum[] {
    return [...this.#sums.values()].map(({ endings: _, ...used }) => used)
  }

  #put(more: Sum): void {
    const key = keyOf(more)
    const sum = this.#sums.get(key)
    if (sum === undefined) {
      this.#sums.set(key, more)
      return
    }
    sum.cpuSeconds += more.cpuSeconds
    sum.wallSeconds += more.wallSeconds
    sum.memoryPeakBytes = larger(sum.memoryPeakBytes, more.memoryPeakBytes)
    sum.since = Math.min(sum.since, more.since)
    for (const [status, { attempts, since }] of more.endings) {
      const ending = sum.endings.get(status)
      if (ending === undefined) sum.endings.set(status, { attempts, since })
      else {
        ending.attempts += attempts
        ending.since = Math.min(ending.since, since)
      }
    }
  }
}

const cleaned = ({ user, name }: JobLabels): JobLabels => ({
  user: labelText(user),
  name: labelText(name),
})

const larger = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)

/** By the CPU time of the name, whoever ran it, then of the user: a name that many share is not cut to pieces. */
function biggestFirst(sums: readonly Sum[]): Sum[] {
  const byName = totals(sums, ({ name }) => name)
  const byUser = totals(sums, ({ user }) => user)
  // Looked up once each: to compare 50,000 of them takes a million looks.
  return sums
    .map((sum) => ({ sum, name: byName.get(sum.name) ?? 0, user: byUser.get(sum.user) ?? 0 }))
    .sort(
      (one, other) =>
        other.name - one.name || other.user - one.user || other.sum.cpuSeconds - one.sum.cpuSeconds,
    )
    .map(({ sum }) => sum)
}

function totals(sums: readonly Sum[], keyIn: (sum: Sum) => string): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const sum of sums) sizes.set(keyIn(sum), (sizes.get(keyIn(sum)) ?? 0) + sum.cpuSeconds)
  return sizes
}
