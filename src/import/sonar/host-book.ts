import type { ChangedHost, NodeHistory } from '../../store/node/history/open-history.ts'
import type { HostCounters } from './counters.ts'
import { countersOf, countersText } from './counters-text.ts'
import type { SonarCapacity } from './sample.ts'

interface Stretch {
  readonly fromMs: number
  toMs: number
  /** At its end; undefined while only the database has them. */
  counters: HostCounters | undefined
  hasChanged: boolean
}

/** What is known of one host: the times that are in the database already, and what the node has. */
export class HostBook {
  readonly host: string
  readonly #history: NodeHistory
  /** In the order of time; none overlap. */
  readonly #stretches: Stretch[]
  #capacity: { readonly at: number; readonly told: SonarCapacity } | undefined
  #capacityChanged = false
  /** The last hour that was asked for. */
  #hour: { readonly atMs: number; readonly isAgents: boolean } | undefined

  constructor(host: string, history: NodeHistory) {
    this.host = host
    this.#history = history
    const { stretches, capacity } = history.hostHistory(host)
    this.#stretches = stretches.map((one) => ({ ...one, counters: undefined, hasChanged: false }))
    if (capacity !== undefined)
      this.#capacity = {
        at: capacity.atMs / 1e3,
        told: JSON.parse(capacity.capacity) as SonarCapacity,
      }
  }

  get capacity(): SonarCapacity | undefined {
    return this.#capacity?.told
  }

  /** Whether that is news. */
  setCapacity(at: number, told: SonarCapacity): boolean {
    if (this.#capacity !== undefined && this.#capacity.at >= at) return false
    this.#capacity = { at, told }
    this.#capacityChanged = true
    return true
  }

  knows(atMs: number, hourAtMs: number): boolean {
    const before = this.#stretches[this.#lastBegunBy(atMs)]
    if (before !== undefined && before.toMs >= atMs) return true
    if (this.#hour?.atMs !== hourAtMs)
      this.#hour = { atMs: hourAtMs, isAgents: this.#history.isAgents(this.host, hourAtMs) }
    return this.#hour.isAgents
  }

  /** The counters at the last moment before this one that is known. */
  countersBefore(atMs: number): HostCounters | undefined {
    const stretch = this.#stretches[this.#lastBegunBy(atMs)]
    if (stretch === undefined) return undefined
    if (stretch.counters === undefined) {
      const kept = this.#history.countersOf(this.host, stretch.fromMs)
      stretch.counters = kept === undefined ? undefined : countersOf(kept)
    }
    return stretch.counters
  }

  /** Goes on with the stretch before, or begins one. */
  record(atMs: number, goesOn: boolean, counters: HostCounters): void {
    const index = this.#lastBegunBy(atMs)
    const before = this.#stretches[index]
    if (goesOn && before !== undefined) {
      before.toMs = atMs
      before.counters = counters
      before.hasChanged = true
    } else
      this.#stretches.splice(index + 1, 0, { fromMs: atMs, toMs: atMs, counters, hasChanged: true })
  }

  /** What has to be kept; afterwards it counts as kept. */
  takeChanges(): ChangedHost {
    const changed = this.#stretches.filter(({ hasChanged }) => hasChanged)
    const capacity = this.#capacityChanged ? this.#capacity : undefined
    this.#capacityChanged = false
    const stretches = changed.map(({ fromMs, toMs, counters }) => ({
      fromMs,
      toMs,
      counters: counters === undefined ? '' : countersText(counters),
    }))
    for (const [index, stretch] of this.#stretches.entries()) {
      stretch.hasChanged = false
      if (index < this.#stretches.length - 1) stretch.counters = undefined
    }
    return {
      host: this.host,
      stretches,
      capacity:
        capacity === undefined
          ? undefined
          : { atMs: Math.round(capacity.at * 1e3), capacity: JSON.stringify(capacity.told) },
    }
  }

  /** The index of the last stretch that has begun by then, or -1. */
  #lastBegunBy(atMs: number): number {
    let [low, high] = [0, this.#stretches.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#stretches[middle]?.fromMs ?? 0) <= atMs) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}
