import type { LiveAttempt, LiveNews } from '../../model/live.ts'
import type { Owner } from '../../model/machine.ts'
import { FollowedAttempt } from './followed-attempt.ts'

/** Of attempts that have ended, so many are remembered of which more may be heard. */
const mostEnded = 2_000

/** The attempts that are followed: those that run, and those that have ended and of which more may be heard. */
export class LiveAttempts {
  readonly #byTask = new Map<string, FollowedAttempt>()
  /** Ended, oldest first. */
  readonly #ended = new Set<string>()

  find(taskId: string): FollowedAttempt | undefined {
    return this.#byTask.get(taskId)
  }

  /** The attempt of this task, with what is known of it now. `isFound`: it ran before anybody listened. */
  learn(facts: LiveAttempt, owner: Owner, isFound: boolean): FollowedAttempt {
    const known = this.#byTask.get(facts.taskId)
    if (known !== undefined) {
      known.learn(facts)
      return known
    }
    const attempt = new FollowedAttempt(facts, owner, isFound)
    this.#byTask.set(facts.taskId, attempt)
    return attempt
  }

  running(): FollowedAttempt[] {
    return [...this.#byTask.values()].filter(({ isRunning }) => isRunning)
  }

  /** Those that run, and those whose end is known but not told yet. */
  untold(): FollowedAttempt[] {
    return [...this.#byTask.values()].filter(({ taskId }) => !this.#ended.has(taskId))
  }

  get isAnyRunning(): boolean {
    for (const { isRunning } of this.#byTask.values()) if (isRunning) return true
    return false
  }

  /** What there is to tell since this was last asked. */
  news(): LiveNews[] {
    const news: LiveNews[] = []
    for (const attempt of this.#byTask.values()) {
      news.push(...attempt.news())
      if (!attempt.isRunning && !this.#ended.has(attempt.taskId)) {
        attempt.forgetRows()
        this.#ended.add(attempt.taskId)
      }
    }
    for (const taskId of this.#ended) {
      if (this.#ended.size <= mostEnded) break
      this.forget(taskId)
    }
    return news
  }

  /** Nothing more will be heard of it. */
  forget(taskId: string): void {
    this.#byTask.delete(taskId)
    this.#ended.delete(taskId)
  }
}
