import type { Site } from './site.ts'
import type { UnderWay } from './under-way.ts'

/** Requests to end attempts, passed on to their site: those of one turn of the event loop together. */
export class EndRequests {
  readonly #site: Site
  #tasks = new Set<UnderWay>()

  constructor(site: Site) {
    this.#site = site
  }

  add(task: UnderWay): void {
    this.#tasks.add(task)
    if (this.#tasks.size === 1) queueMicrotask(() => this.#passOn())
  }

  #passOn(): void {
    const tasks = [...this.#tasks]
    this.#tasks = new Set()
    for (const request of new Set(tasks.map(({ endRequests }) => endRequests))) {
      const asked = tasks.filter(({ endRequests }) => endRequests === request)
      const signal = asked[0]?.endSignal ?? 'SIGTERM'
      void this.#site.end(asked, signal, request)
    }
  }
}
