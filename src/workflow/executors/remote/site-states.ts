import type { Clock } from '../../../system/system.ts'
import type { Site } from './site.ts'
import type { UnderWay } from './under-way.ts'

/** What a site says of attempts. It is asked of all of them at once, and no more often than it wants to be. */
export class SiteStates {
  readonly #clock: Clock
  readonly #site: Site
  #askedAt = -Infinity
  #isAsking = false

  constructor(clock: Clock, site: Site) {
    this.#clock = clock
    this.#site = site
  }

  /** Where it is time for that; the answers come later. */
  ask(all: Iterable<UnderWay>): void {
    const now = this.#clock.monotonicSeconds()
    if (this.#isAsking || now - this.#askedAt < this.#site.stateSeconds) return
    const tasks = [...all].filter(
      ({ handle, state }) => handle.site !== undefined && state?.kind !== 'over',
    )
    if (tasks.length === 0) return
    this.#isAsking = true
    this.#askedAt = now
    void this.#site
      .states(tasks)
      .then((states) => {
        for (const task of tasks) this.#take(task, states.get(task.taskId))
        return undefined
      })
      .finally(() => (this.#isAsking = false))
  }

  #take(task: UnderWay, state: UnderWay['state']): void {
    if (state === undefined) return
    task.state = state
    task.heardAt = this.#clock.monotonicSeconds()
    if (state.kind === 'over') task.overSince = task.heardAt
  }
}
