import type { LiveWorkflow, LiveWorkflowEvent } from '../../model/live.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { System } from '../../system/system.ts'
import { isBeingRun } from '../find-workflow.ts'
import { workflowOf } from './workflow-source.ts'

/** So many of the newest that run, or ran just now, are looked at. */
const mostLooked = 50
/** Of one whose run has ended since then the last states are told. */
const endedSeconds = 60

/** How far workflows of a team have come. */
export class TeamWorkflowSource {
  readonly #system: System
  /** As they were told. */
  readonly #told = new Map<number, LiveWorkflow>()
  #isFirst = true

  constructor(system: System) {
    this.#system = system
  }

  /** `touched`: workflows of which an attempt began or ended. */
  async read(reader: LedgerReader, touched: ReadonlySet<number>): Promise<LiveWorkflowEvent[]> {
    const events: LiveWorkflowEvent[] = []
    const looked = await this.#idsToLook(reader, touched)
    for (const workflowId of looked) {
      const workflow = await this.#workflow(reader, workflowId)
      const told = this.#told.get(workflowId)
      if (workflow === undefined || JSON.stringify(told) === JSON.stringify(workflow)) continue
      this.#told.set(workflowId, workflow)
      // One that was over before anybody listened is no news.
      if (this.#isFirst && !workflow.isBeingRun) continue
      events.push({ kind: 'workflow', user: workflow.user, workflow })
    }
    for (const id of this.#told.keys()) if (!looked.has(id)) this.#told.delete(id)
    this.#isFirst = false
    return events
  }

  /**
   * When a run ended is told by the clock of its machine, which may be minutes behind ours: what was running when it was last
   * looked at, and what attempts tell of, is looked at whatever the time.
   */
  async #idsToLook(
    { workflows }: LedgerReader,
    touched: ReadonlySet<number>,
  ): Promise<ReadonlySet<number>> {
    const since = this.#system.clock.wallSeconds() - endedSeconds
    const recent = await workflows.recentRuns(since, mostLooked)
    const running = [...this.#told.values()].filter((told) => told.isBeingRun)
    return new Set([
      ...[...recent, ...running].map(({ workflowId }) => workflowId),
      ...[...touched].slice(-mostLooked),
    ])
  }

  async #workflow(reader: LedgerReader, workflowId: number): Promise<LiveWorkflow | undefined> {
    const head = await reader.workflows.findWorkflowRow(workflowId)
    if (head === undefined) return undefined
    const runs = await reader.workflows.runs(workflowId)
    const isRun = isBeingRun(this.#system, reader, head, runs)
    return workflowOf(head, runs.at(-1), isRun, null)
  }
}
