import type { Clock } from '../../../system/system.ts'
import type { Site } from './site.ts'
import type { UnderWay } from './under-way.ts'

/** What a site says of attempts. It is asked of all of them at once, and no more often than it wants to be. */
export class SiteStates {
  readonly #clock: Clock
  readonly #site: Site
  readonly #hear: (task: UnderWay, waits: string) => void
  #askedAt = -Infinity
  #isAsking = false

  /** `hear` is told why an attempt waits, each time that this is another reason. */
  constructor(clock: Clock, site: Site, hear: (task: UnderWay, waits: string) => void) {
    this.#clock = clock
    this.#site = site
    this.#hear = hear
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
    const before = waitsBy(task.state)
    task.state = state
    const waits = waitsBy(state)
    if (waits !== undefined && waits !== before) this.#hear(task, waits)
    task.heardAt = this.#clock.monotonicSeconds()
    if (state.kind === 'over') task.overSince = task.heardAt
  }
}

const waitsBy = (state: UnderWay['state']): string | undefined =>
  state?.kind === 'alive' ? state.waits : undefined
