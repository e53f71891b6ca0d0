import { isSlurmCgroup, type JobFacts } from './job-tally.ts'

/** Ids and names of jobs can be made up: with this, what is kept of a user grows with time, and not with what they start. */
const mostInAnHour = 1_000
const hourSeconds = 3600
/** A job that has used so much cannot be one of very many. */
const largeCpuSeconds = 60

interface Hour {
  readonly since: number
  readonly kept: Set<string>
}

/** Which jobs have a row of their own. Each user can have so many new ones an hour, besides those that are large. */
export class NewJobs {
  readonly #hours = new Map<number, Hour>()
  readonly #kept = new WeakSet<JobFacts>()

  keeps(facts: JobFacts, isOnGpu: boolean, nowSeconds: number): boolean {
    const isKept =
      this.#kept.has(facts) ||
      isOnGpu ||
      facts.cpuSeconds >= largeCpuSeconds ||
      isSlurmCgroup(facts) ||
      this.#takesIn(facts, nowSeconds)
    if (isKept) this.#kept.add(facts)
    return isKept
  }

  #takesIn({ uid, kind, id }: JobFacts, nowSeconds: number): boolean {
    const { kept } = this.#hourOf(uid, nowSeconds)
    const key = `${kind} ${id}`
    if (kept.size < mostInAnHour) kept.add(key)
    return kept.has(key)
  }

  #hourOf(uid: number, nowSeconds: number): Hour {
    const isOver = ({ since }: Hour): boolean => !(nowSeconds - since < hourSeconds)
    const known = this.#hours.get(uid)
    if (known !== undefined && !isOver(known)) return known
    for (const [user, hour] of this.#hours) if (isOver(hour)) this.#hours.delete(user)
    const hour = { since: nowSeconds, kept: new Set<string>() }
    this.#hours.set(uid, hour)
    return hour
  }
}
