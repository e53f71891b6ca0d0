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
  readonly #told = new Map<number, string>()
  #isFirst = true

  constructor(system: System) {
    this.#system = system
  }

  async read(reader: LedgerReader): Promise<LiveWorkflowEvent[]> {
    const since = this.#system.clock.wallSeconds() - endedSeconds
    const events: LiveWorkflowEvent[] = []
    const recent = await reader.workflows.recentRuns(since, mostLooked)
    for (const { workflowId } of recent) {
      const workflow = await this.#workflow(reader, workflowId)
      if (workflow === undefined) continue
      const text = JSON.stringify(workflow)
      if (this.#told.get(workflowId) === text) continue
      this.#told.set(workflowId, text)
      // One that was over before anybody listened is no news.
      if (this.#isFirst && !workflow.isBeingRun) continue
      events.push({ kind: 'workflow', user: workflow.user, workflow })
    }
    const looked = new Set(recent.map(({ workflowId }) => workflowId))
    for (const id of this.#told.keys()) if (!looked.has(id)) this.#told.delete(id)
    this.#isFirst = false
    return events
  }

  async #workflow(reader: LedgerReader, workflowId: number): Promise<LiveWorkflow | undefined> {
    const head = await reader.workflows.findWorkflowRow(workflowId)
    if (head === undefined) return undefined
    const runs = await reader.workflows.runs(workflowId)
    const isRun = isBeingRun(this.#system, reader, head, runs)
    return workflowOf(head, runs.at(-1), isRun, null)
  }
}
