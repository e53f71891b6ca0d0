import type { RemoteState } from './remote-state.ts'

/** What a server tells of itself. Everything is since it was started, unless it says otherwise. */
export interface OwnMetrics {
  readonly version: string
  readonly runtime: string
  /** Seconds since 1970. */
  readonly startedAt: number
  readonly cpuSeconds: number
  readonly memoryBytes: number
  /** How long its events waited since this was last asked; null if nothing is known of that time. */
  readonly loopDelay: { readonly meanSeconds: number; readonly mostSeconds: number } | null
  readonly requests: readonly RequestCount[]
  readonly durations: readonly RouteDurations[]
  readonly liveClients: number
  readonly eventsSent: number
  readonly slowClientsDropped: number
  readonly readErrors: readonly ReadErrorCount[]
  /** How the sending of metrics goes. */
  readonly remote: readonly RemoteState[]
}

export interface RequestCount {
  readonly route: string
  readonly method: string
  /** `2xx` and so on. */
  readonly status: string
  readonly requests: number
}

/** How many requests took at most how long. */
export interface RouteDurations {
  readonly route: string
  readonly buckets: readonly { readonly most: number; readonly count: number }[]
  readonly count: number
  readonly sum: number
}

export interface ReadErrorCount {
  readonly part: string
  readonly errors: number
}
