import type { NodeRound } from '../../model/node-round.ts'
import { NodePolicies } from '../../service/policies/node-policies.ts'
import { loadPolicies, loadTelling } from '../../service/policies/policy-file.ts'
import type { ViolationTeller } from '../../service/policies/tell-violations.ts'
import type { NodeStore } from '../../store/node/open-node.ts'
import type { System } from '../../system/system.ts'
import type { OptionTable } from '../command/define.ts'
import type { Console } from '../terminal/console.ts'

export const policiesOption = {
  policies: {
    type: 'string',
    value: 'FILE',
    example: '/etc/jobmeter/policies.yaml',
    says: 'the policies (default /etc/jobmeter/policies.yaml if it is there, else the shipped ones)',
  },
} as const satisfies OptionTable

/** Judges what the agent sees; trouble with it never stops a round. */
export class AgentPolicies {
  readonly #system: System
  readonly #store: NodeStore
  readonly #console: Console
  #policies: NodePolicies | undefined

  constructor(system: System, store: NodeStore, console: Console) {
    this.#system = system
    this.#store = store
    this.#console = console
  }

  /** Reads the policies, again if need be; those with errors change nothing. */
  async load(named: string | undefined): Promise<void> {
    const file = await loadPolicies(this.#system, named)
    const alertFile = await loadTelling(this.#system, file)
    let teller: ViolationTeller | null = null
    if (alertFile !== null) {
      const { ViolationTeller: Teller } = await import('../../service/policies/tell-violations.ts')
      teller = new Teller(this.#system, this.#store, {
        policyFile: file,
        alertFile,
        tell: (line) => this.#console.note(`jobmeter: ${line}\n`),
        onProblem: (problem) => this.#console.complain(problem),
      })
    }
    const { name } = this.#system.host
    if (this.#policies === undefined)
      this.#policies = new NodePolicies(this.#store, name, file.policies, teller)
    else this.#policies.change(file.policies, teller)
  }

  judge(round: NodeRound): void {
    try {
      this.#policies?.judge(round)
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      this.#console.complain(`the policies could not be judged: ${problem}`)
    }
  }

  end(): void {
    this.#policies?.end()
  }
}
