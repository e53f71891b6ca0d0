import type { Policy } from '../../model/policy.ts'
import type { NodeStore } from '../../store/node/open-node.ts'
import { tryPolicies } from './try-policies.ts'

export interface JudgedPast {
  readonly host: string
  readonly violations: number
  readonly suppressed: number
}

/** Judges hosts that no agent judges between two moments, and keeps what is found. Twice is the same as once. */
export function judgePast(
  store: NodeStore,
  policies: readonly Policy[],
  { hosts, from, to }: { hosts: readonly string[]; from: number; to: number },
): JudgedPast[] {
  const byAgents = new Set(
    store.reader.judgedHosts().flatMap(({ host, isByAgent }) => (isByAgent ? [host] : [])),
  )
  const wanted = (hosts.length > 0 ? hosts : store.reader.names('host')).filter(
    (host) => !byAgents.has(host),
  )
  return wanted.flatMap((host) => {
    const tried = tryPolicies(store.reader, policies, { from, to, hosts: [host] })
    const [one] = tried.hosts
    if (one === undefined) return []
    const states = new Map(policies.map(({ name }) => [name, one.unmeasured.get(name) ?? null]))
    store.violations.replace(host, { from, to }, tried.violations, states)
    const real = tried.violations.filter(
      ({ suppressedBecause }) => suppressedBecause === null,
    ).length
    return [{ host, violations: real, suppressed: tried.violations.length - real }]
  })
}
