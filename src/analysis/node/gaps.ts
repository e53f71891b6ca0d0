import type { Boot, SeenStretch } from '../../model/seen-stretch.ts'

/** A time in which a host was not looked at. */
export interface Gap {
  readonly from: number
  readonly to: number
  /**
   * `agent-down`: the host kept running, and only the agent was down. `restarted`: the host was restarted in it. `open`:
   * nobody has looked since. `unknown`: it was too long ago for rounds to show the cause.
   */
  readonly cause: 'agent-down' | 'restarted' | 'open' | 'unknown'
  /** When a host that was restarted in it was up again, at the latest; null where that is not known. */
  readonly bootedAt: number | null
}

export interface HostUptime {
  readonly host: string
  readonly from: number
  readonly to: number
  readonly seenSeconds: number
  readonly gaps: readonly Gap[]
  /** How often it was restarted, as far as rounds show. */
  readonly restarts: number
}

export interface UptimeQuestion {
  readonly from: number
  readonly to: number
  /** Shorter gaps are not listed, but do not count as time that was looked at either. */
  readonly shortestGap: number
}

/**
 * When each host was looked at, between the first round and `to`. Nothing is known of the time before the first: the agent
 * may not have been there yet.
 */
export function hostUptimes(
  stretches: readonly SeenStretch[],
  boots: readonly Boot[],
  { from, to, shortestGap }: UptimeQuestion,
): HostUptime[] {
  const hosts = Map.groupBy(stretches, ({ host }) => host)
  return [...hosts].map(([host, seen]) => {
    const begin = Math.max(from, seen[0]?.from ?? from)
    const gaps: Gap[] = []
    let seenSeconds = 0
    let restarts = 0
    for (const [index, stretch] of seen.entries()) {
      seenSeconds += Math.max(0, Math.min(stretch.to, to) - Math.max(stretch.from, begin))
      const next = seen[index + 1]
      if (isRestart(stretch, next)) restarts += 1
      const end = next?.from ?? to
      if (end - stretch.to >= shortestGap) gaps.push(gapBetween(stretch, next, end, boots))
    }
    return { host, from: begin, to, seenSeconds, gaps, restarts }
  })
}

const isRestart = (stretch: SeenStretch, next: SeenStretch | undefined): boolean =>
  next !== undefined &&
  stretch.epoch !== null &&
  next.epoch !== null &&
  next.epoch !== stretch.epoch

function gapBetween(
  stretch: SeenStretch,
  next: SeenStretch | undefined,
  to: number,
  boots: readonly Boot[],
): Gap {
  const from = stretch.to
  if (next === undefined) return { from, to, cause: 'open', bootedAt: null }
  if (stretch.epoch === null || next.epoch === null)
    return { from, to, cause: 'unknown', bootedAt: null }
  if (!isRestart(stretch, next)) return { from, to, cause: 'agent-down', bootedAt: null }
  const boot = boots.find(({ host, epoch }) => host === next.host && epoch === next.epoch)
  const isWithin = boot !== undefined && boot.at > from && boot.at < to
  return { from, to, cause: 'restarted', bootedAt: isWithin ? boot.at : null }
}
