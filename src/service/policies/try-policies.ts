import { judgeHistory } from '../../analysis/policies/judge-history.ts'
import { Judge } from '../../analysis/policies/judge.ts'
import { ViolationList } from '../../analysis/policies/violation-list.ts'
import type { PastTable } from '../../model/past-round.ts'
import type { Policy } from '../../model/policy.ts'
import type { Violation } from '../../model/violation.ts'
import type { NodeReader } from '../../store/node/node-reader.ts'
import { pastKey } from '../../store/node/past-rounds.ts'
import { whyNot } from './node-policies.ts'

export interface TrySettings {
  readonly from: number
  readonly to: number
  readonly hosts: readonly string[]
  /** The finest rows that cover the time, unless it is said. */
  readonly table?: PastTable
}

/** What a host was judged by. */
export interface TriedHost {
  readonly host: string
  /** Null: only what is judged over days was asked for. */
  readonly table: PastTable | null
  readonly rounds: number
  /** The time that these cover, in seconds since 1970. */
  readonly from: number
  readonly to: number
  /** Why policies could not judge, by their names. */
  readonly unmeasured: ReadonlyMap<string, string>
}

export interface Tried {
  readonly hosts: readonly TriedHost[]
  readonly violations: readonly Violation[]
}

/** What policies would have found in the past. Nothing is kept, and nobody is told. */
export function tryPolicies(
  reader: NodeReader,
  policies: readonly Policy[],
  settings: TrySettings,
): Tried {
  const list = new ViolationList()
  const wanted = settings.hosts.length > 0 ? settings.hosts : reader.names('host')
  const hosts = wanted.flatMap((host) => tryHost(reader, policies, { ...settings, host }, list))
  return { hosts, violations: list.violations }
}

function tryHost(
  reader: NodeReader,
  policies: readonly Policy[],
  settings: TrySettings & { readonly host: string },
  list: ViolationList,
): TriedHost[] {
  const { host, from, to } = settings
  const missing = new Map<string, string>()
  for (const policy of policies) {
    if (policy.scope !== 'history') continue
    // As it would have been at the end of the time.
    const history = reader.history({ host, from: to - policy.overSeconds, to })
    const told = judgeHistory(policy, history)
    list.add(told.findings, [], to)
    const why = whyNot(told.missing)
    if (why !== null) missing.set(policy.name, why)
  }
  const judged = policies.filter(({ scope }) => scope !== 'history')
  if (judged.length === 0) return [{ host, table: null, rounds: 0, from, to, unmeasured: missing }]
  const past = reader.pastRounds(settings)
  if (past === undefined) return []
  const judge = new Judge(judged, (job, epoch) => past.pasts.get(pastKey(epoch, job)))
  // One round in which somebody could be judged is enough.
  const never = new Map(judged.map(({ name }) => [name, true]))
  let why: ReturnType<Judge['round']>['unmeasured'] = new Map()
  for (const round of past.rounds) {
    const { findings, ended, unmeasured } = judge.round(round, round.peaks)
    list.add(findings, ended, round.at)
    for (const { name } of judged) if (!unmeasured.has(name)) never.set(name, false)
    why = unmeasured
  }
  for (const [name, figures] of why) {
    const words = whyNot(figures)
    if (never.get(name) === true && words !== null) missing.set(name, words)
  }
  const [first] = past.rounds
  return [
    {
      host,
      table: past.table,
      rounds: past.rounds.length,
      from: first === undefined ? from : first.at - first.seconds,
      to: past.rounds.at(-1)?.at ?? to,
      unmeasured: missing,
    },
  ]
}
