import type { OwnMetrics } from '../model/own-metrics.ts'
import type { RemoteState } from '../model/remote-state.ts'
import { LoopDelay } from '../system/loop-delay.ts'
import { ownCpuSeconds, ownResidentBytes } from '../system/own-process.ts'

/** Upper bounds of the durations of requests, in seconds. */
const bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
/** Routes are those of a table. Should somebody pass a path instead, memory does not grow with it. */
const mostRoutes = 300

interface Durations {
  readonly within: number[]
  count: number
  sum: number
}

/** Counts what the server does, for its own metrics. */
export class OwnMetricsBook {
  readonly #head: Pick<OwnMetrics, 'version' | 'runtime' | 'startedAt'>
  readonly #delay = new LoopDelay()
  readonly #routes = new Set<string>()
  readonly #requests = new Map<string, number>()
  readonly #durations = new Map<string, Durations>()
  readonly #readErrors = new Map<string, number>()
  #liveClients = 0
  #eventsSent = 0
  #slowClientsDropped = 0
  #remote: () => readonly RemoteState[] = () => []

  constructor(head: { readonly version: string; readonly startedAt: number }) {
    this.#head = { ...head, runtime: `node ${process.versions.node}` }
  }

  /**
   * A request was answered. `route`: the template of the path, never the path itself, which anybody can make up.
   * `seconds`: null for streams, which go on for as long as their client likes.
   */
  observe(route: string, method: string, status: number, seconds: number | null): void {
    const known = this.#known(route)
    const word = methods.has(method) ? method : 'other'
    more(this.#requests, JSON.stringify([known, word, `${Math.floor(status / 100)}xx`]), 1)
    if (seconds === null) return
    const durations = this.#durations.get(known) ?? {
      within: bounds.map(() => 0),
      count: 0,
      sum: 0,
    }
    this.#durations.set(known, durations)
    durations.count += 1
    durations.sum += seconds
    const place = bounds.findIndex((most) => seconds <= most)
    if (place >= 0) durations.within[place] = (durations.within[place] ?? 0) + 1
  }

  /** A client began to follow live events (1), or no longer does (-1). */
  liveClients(delta: 1 | -1): void {
    this.#liveClients += delta
  }

  eventsSent(count: number): void {
    this.#eventsSent += count
  }

  slowClientDropped(): void {
    this.#slowClientsDropped += 1
  }

  /** Something could not be read: `jobs`, `nodes` or another of few words. */
  readError(part: string): void {
    more(this.#readErrors, part, 1)
  }

  /** Who knows how the sending of metrics goes. */
  askRemote(states: () => readonly RemoteState[]): void {
    this.#remote = states
  }

  /** Everything up to now. Who is told besides the scrapers has delays of their own: each is told what was since they last asked. */
  taken(delay: LoopDelay = this.#delay): OwnMetrics {
    return {
      ...this.#head,
      cpuSeconds: ownCpuSeconds(),
      memoryBytes: ownResidentBytes(),
      loopDelay: delay.take(),
      requests: [...this.#requests].map(([key, requests]) => {
        const [route = '', method = '', status = ''] = JSON.parse(key) as string[]
        return { route, method, status, requests }
      }),
      durations: [...this.#durations].map(([route, { within, count, sum }]) => ({
        route,
        buckets: cumulated(within),
        count,
        sum,
      })),
      liveClients: this.#liveClients,
      eventsSent: this.#eventsSent,
      slowClientsDropped: this.#slowClientsDropped,
      readErrors: [...this.#readErrors].map(([part, errors]) => ({ part, errors })),
      remote: this.#remote(),
    }
  }

  close(): void {
    this.#delay.close()
  }

  #known(route: string): string {
    if (this.#routes.has(route)) return route
    if (this.#routes.size >= mostRoutes) return 'other'
    this.#routes.add(route)
    return route
  }
}

const more = (counts: Map<string, number>, key: string, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

/** Each bound counts all that were shorter, too. */
function cumulated(within: readonly number[]): { most: number; count: number }[] {
  let count = 0
  return bounds.map((most, place) => ({ most, count: (count += within[place] ?? 0) }))
}
