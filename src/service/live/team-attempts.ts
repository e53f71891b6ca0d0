import type { LiveNews } from '../../model/live.ts'
import type { WatchedAttempt } from '../../store/ledger/records/live-row.ts'
import type { TeamReader } from '../../store/postgres/read/team-reader.ts'
import { StoreError } from '../../store/errors.ts'
import { arranged } from '../../store/series/held-series.ts'
import { sampleNames } from '../../model/sample.ts'
import type { FollowedAttempt } from './followed-attempt.ts'
import { LiveAttempts } from './live-attempts.ts'

/** Of a team that runs more, the newest are told of; lists show them all. */
const mostRunning = 2_000
/** More than a team's jobs begin in a second or two. */
const mostBegun = 5_000
/** So many running jobs have their samples told; a page reads those of the job that it shows. */
const mostSampled = 200

/** Attempts of a team, and samples of those that run. */
export class TeamAttempts {
  readonly #attempts = new LiveAttempts()
  /** Those that run, by their ids. */
  readonly #running = new Map<number, FollowedAttempt>()
  /** Those whose samples cannot be read: whoever asks for them is told why. */
  readonly #damaged = new Set<string>()
  /** Until it was read once: what runs then was running before. */
  #readUpTo: number | undefined

  async read({ watch }: TeamReader): Promise<LiveNews[]> {
    const settled = await watch.settledId()
    const before = this.#readUpTo
    for (const { attemptId, facts } of await watch.ended([...this.#running.keys()])) {
      this.#running.get(attemptId)?.learn(facts)
      this.#running.delete(attemptId)
    }
    if (before === undefined) {
      for (const one of await watch.running(settled, mostRunning)) this.#learn(one, true)
      this.#readUpTo = settled
    } else if (settled > before) {
      const begun = await watch.begun(before, settled, mostBegun)
      for (const one of begun) this.#learn(one, false)
      // Where more have begun, the rest comes next time.
      this.#readUpTo = begun.length < mostBegun ? settled : (begun.at(-1)?.attemptId ?? settled)
    }
    await this.#readSamples(watch)
    return this.#attempts.news()
  }

  #learn({ attemptId, facts, owner }: WatchedAttempt, isFound: boolean): void {
    // Another who claims the task of this one is in the lists, and nowhere else.
    if ((this.#attempts.find(facts.taskId)?.facts.user ?? facts.user) !== facts.user) return
    const attempt = this.#attempts.learn(facts, owner, isFound)
    if (attempt.isRunning) this.#running.set(attemptId, attempt)
  }

  async #readSamples(watch: TeamReader['watch']): Promise<void> {
    const followed = [...this.#running.values()]
      .slice(-mostSampled)
      .filter(({ taskId }) => !this.#damaged.has(taskId))
    const counts = await watch.sampleCounts(followed.map(({ taskId }) => taskId))
    for (const attempt of followed) {
      const known = attempt.rowCount
      if ((counts.get(attempt.taskId) ?? 0) <= known) continue
      const { taskId, facts } = attempt
      const found = await watch.samplesFrom(taskId, facts.user, known).catch((error: unknown) => {
        if (!(error instanceof StoreError) || error.code !== 'corrupt') throw error
        this.#damaged.add(taskId)
        return undefined
      })
      if (found === undefined) continue
      const { rows } = arranged(found.parts, { columns: sampleNames })
      if (known === 0 && found.firstRow > 0) attempt.beginAfter([], found.firstRow)
      attempt.addRows(found.firstRow, rows)
    }
  }
}
