import { usualLabelLimits, type LabelLimits } from '../../analysis/metrics/label-book.ts'
import type { MetricFacts } from '../../model/metric-facts.ts'
import { Owners } from '../../record/owners.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'
import type { System } from '../../system/system.ts'
import { firingAlerts } from './firing-alerts.ts'
import { LedgerSums } from './ledger-sums.ts'
import { MachineNow } from './machine-now.ts'
import { nodesByRounds, openViolations } from './node-states.ts'
import { recentWorkflows } from './recent-workflows.ts'
import { runningInLedger, type RunningJobs } from './running-jobs.ts'

/** Where what `/metrics` tells comes from. */
export interface MetricSources {
  readonly system: System
  readonly reader: LedgerReader
  /** Opens what agents keep of nodes, for one reading; where there is nothing, this machine is looked at. */
  readonly openNode?: () => Promise<NodeQuestions | undefined>
  /** Without it, what the ledger knows. */
  readonly runningJobs?: RunningJobs
  readonly limits?: Partial<LabelLimits>
  /** Hears which part could not be read, and why; the others are told all the same. */
  readonly onReadError?: (part: keyof MetricFacts, error: unknown) => void
}

/** Gathers what `/metrics` tells. Scrapes at the same time are answered by one reading. */
export class MetricsGatherer {
  readonly #sources: MetricSources
  readonly #owners: Owners
  readonly #sums: LedgerSums
  readonly #machine: MachineNow
  #underWay: Promise<MetricFacts> | undefined

  constructor(sources: MetricSources) {
    const { system, reader, limits } = sources
    this.#sources = sources
    this.#owners = new Owners(system, reader.path)
    this.#machine = new MachineNow(system)
    this.#sums = new LedgerSums(reader, sources.runningJobs ?? runningInLedger(reader), {
      limits: { ...usualLabelLimits, ...limits },
      pause: () => new Promise((resolve) => system.clock.after(0, resolve)),
    })
  }

  gather(): Promise<MetricFacts> {
    this.#underWay ??= this.#gathered().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  close(): void {
    this.#machine.close()
  }

  async #gathered(): Promise<MetricFacts> {
    const { system, reader } = this.#sources
    const now = system.clock.wallSeconds()
    return {
      ...(await this.#ofNodes(now)),
      jobs: await this.#part('jobs', () => this.#sums.update()),
      workflows: await this.#part('workflows', () =>
        recentWorkflows(reader, now, this.#owners.isDead),
      ),
      alerts: await this.#part('alerts', async () => firingAlerts(system, reader.path)),
    }
  }

  /** An agent may start or end at any time, and its file be replaced. */
  async #ofNodes(now: number): Promise<Pick<MetricFacts, 'nodes' | 'violations'>> {
    const opened = await this.#part('nodes', async () => ({
      node: await this.#sources.openNode?.(),
    }))
    if (opened === null) return { nodes: null, violations: null }
    const { node } = opened
    if (node === undefined)
      return {
        nodes: await this.#part('nodes', async () => [await this.#machine.look()]),
        violations: [],
      }
    try {
      return {
        nodes: await this.#part('nodes', () => nodesByRounds(node, now)),
        violations: await this.#part('violations', () => openViolations(node, now)),
      }
    } finally {
      await node.close()
    }
  }

  async #part<T>(part: keyof MetricFacts, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read()
    } catch (error) {
      this.#sources.onReadError?.(part, error)
      return null
    }
  }
}
