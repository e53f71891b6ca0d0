import { policyFigures, type FigureName } from '../../analysis/policies/figure-list.ts'
import { judgeHistory } from '../../analysis/policies/judge-history.ts'
import { Judge } from '../../analysis/policies/judge.ts'
import type { NodeRound } from '../../model/node-round.ts'
import type { Policy } from '../../model/policy.ts'
import { hourSeconds } from '../../model/time-parts.ts'
import type { NodeStore } from '../../store/node/open-node.ts'
import { pastKey } from '../../store/node/past-rounds.ts'
import type { ViolationTeller } from './tell-violations.ts'

/** Judges each round of a node after it is kept, and keeps what policies found. */
export class NodePolicies {
  readonly #store: NodeStore
  readonly #host: string
  readonly #judge: Judge
  #policies: readonly Policy[]
  #teller: ViolationTeller | null
  #lookedBackAt = -Infinity
  #historyMissing = new Map<string, readonly FigureName[]>()
  #state = ''

  constructor(
    store: NodeStore,
    host: string,
    policies: readonly Policy[],
    teller: ViolationTeller | null,
  ) {
    this.#store = store
    this.#host = host
    this.#policies = enabled(policies)
    this.#teller = teller
    const pasts = new Map(store.reader.livingPasts(host))
    this.#judge = new Judge(this.#policies, (job, epoch) => {
      const key = pastKey(epoch, job)
      const past = pasts.get(key)
      pasts.delete(key)
      return past
    })
    this.#resume()
  }

  /** Judges by these from the next round on. */
  change(policies: readonly Policy[], teller: ViolationTeller | null): void {
    this.#teller?.end()
    this.#teller = teller
    this.#policies = enabled(policies)
    this.#judge.change(this.#policies)
    this.#lookedBackAt = -Infinity
    this.#historyMissing.clear()
    this.#resume()
  }

  judge(round: NodeRound): void {
    const { host, at } = round
    const { findings, ended, unmeasured } = this.#judge.round(round)
    this.#store.violations.keep({ host, at, findings, ended })
    this.#lookBack(at)
    this.#keepState(at, new Map([...unmeasured, ...this.#historyMissing]))
    if (this.#teller === null) this.#store.violations.reportAll(at)
    else this.#teller.tell(at)
  }

  end(): void {
    this.#teller?.end()
  }

  /** Violations of policies that are gone are over. */
  #resume(): void {
    const now = this.#store.violations.open(this.#host)
    const ended = now.flatMap((violation) => {
      const policy = this.#policies.find(({ name }) => name === violation.policy)
      const { subject, firstSeen } = violation
      if (policy === undefined)
        return [{ policy: violation.policy, subject, because: 'the policy is no longer there' }]
      if (policy.scope !== 'history')
        this.#judge.resume(policy, subject, Math.round(firstSeen * 1e3))
      return []
    })
    const at = Math.max(0, ...now.map(({ lastSeen }) => lastSeen))
    this.#store.violations.keep({ host: this.#host, at, findings: [], ended })
  }

  /** Once an hour, for what is judged over days. */
  #lookBack(at: number): void {
    if (at - this.#lookedBackAt < hourSeconds) return
    this.#lookedBackAt = at
    const open = this.#store.violations.open(this.#host)
    for (const policy of this.#policies) {
      if (policy.scope !== 'history') continue
      const history = this.#store.reader.history({
        host: this.#host,
        from: at - policy.overSeconds,
        to: at,
      })
      const { findings, missing } = judgeHistory(policy, history)
      const still = new Set(
        findings
          .filter(({ suppressedBecause }) => suppressedBecause === null)
          .map(({ subject }) => subject.user),
      )
      const ended = open
        .filter(({ policy: name, subject }) => name === policy.name && !still.has(subject.user))
        .map(({ subject }) => ({ policy: policy.name, subject, because: 'it is no longer so' }))
      this.#store.violations.keep({ host: this.#host, at, findings, ended })
      if (missing.length > 0) this.#historyMissing.set(policy.name, missing)
      else this.#historyMissing.delete(policy.name)
    }
  }

  /** Written only when it changes, and once an hour. */
  #keepState(at: number, missing: ReadonlyMap<string, readonly FigureName[]>): void {
    const states = this.#policies.map(({ name }) => [name, whyNot(missing.get(name))] as const)
    const state = JSON.stringify([Math.floor(at / hourSeconds), states])
    if (state === this.#state) return
    this.#state = state
    this.#store.violations.keepState(this.#host, at, new Map(states))
  }
}

const enabled = (policies: readonly Policy[]): Policy[] =>
  policies.filter(({ isEnabled }) => isEnabled)

/** What keeps a policy from judging, in words; null if nothing does. */
export function whyNot(missing: readonly FigureName[] | undefined): string | null {
  const [first] = missing ?? []
  return first === undefined ? null : policyFigures[first].without || `${first} was not measured`
}
