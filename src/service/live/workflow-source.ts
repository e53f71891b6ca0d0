import { endEstimate } from '../../analysis/workflow/end-estimate.ts'
import type { EndEstimate, LiveWorkflow, LiveWorkflowEvent } from '../../model/live.ts'
import type { WorkflowHead } from '../../model/workflow-head.ts'
import { lifeOfRunner } from '../../record/runner-life.ts'
import type { LedgerWatch } from '../../store/ledger/ledger-watch.ts'
import type { RunRow } from '../../store/ledger/workflow-store.ts'
import type { System } from '../../system/system.ts'
import { SourceLost } from './source-lost.ts'

/** Counting the jobs of a large workflow takes milliseconds: all of it takes at most this share of the time. */
const mostShare = 0.02
const leastSeconds = 0.5
/** An estimate is told again when it has moved by this share of the time that is left. */
const movedShare = 0.05
/** How many jobs an estimate goes by. */
const mostDone = 2_000
/** So many workflows are remembered as they were told; so many of the newest are looked at for jobs that were reset or cancelled. */
const mostKept = 500

/** How far workflows have come. */
export class WorkflowSource {
  readonly #system: System
  readonly #ledgerPath: string
  readonly #told = new Map<number, LiveWorkflow>()
  #newestId: number | undefined
  /** The states of the jobs of the newest workflows, told or not. */
  #marks: ReadonlyMap<number, string> = new Map()
  #areMarksDue = true
  readonly #touched = new Set<number>()
  #nextAt = Number.NEGATIVE_INFINITY
  #isDue = true

  constructor(system: System, ledgerPath: string) {
    this.#system = system
    this.#ledgerPath = ledgerPath
  }

  /** An attempt of this workflow began or ended. */
  touch(workflowId: number): void {
    this.#touched.add(workflowId)
    this.#isDue = true
  }

  /** Something was written to the ledger: jobs may have been reset or cancelled. */
  touchAll(): void {
    this.#areMarksDue = true
    this.#isDue = true
  }

  read(ledger: LedgerWatch): LiveWorkflowEvent[] {
    const began = this.#system.clock.monotonicSeconds()
    if (!this.#isDue || began < this.#nextAt) return []
    const cpuBefore = this.#system.processes.ownThreadCpuSeconds()
    const isFirst = this.#newestId === undefined
    const fresh = this.#newIds(ledger)
    const changed = this.#areMarksDue ? this.#changedIds(ledger) : []
    if (!isFirst) for (const id of changed) this.#touched.add(id)
    const ids = new Set([...ledger.workflows.unended(), ...fresh, ...this.#touched])
    for (const { workflowId, isBeingRun } of this.#told.values())
      if (isBeingRun) ids.add(workflowId)
    const chosen = isFirst ? new Set<number>() : new Set([...fresh, ...this.#touched])
    this.#touched.clear()
    const events = [...ids].flatMap((id) => this.#readOne(ledger, id, chosen.has(id)))
    this.#forgetOldest()
    const took = this.#system.processes.ownThreadCpuSeconds() - cpuBefore
    this.#nextAt = began + Math.max(leastSeconds, took / mostShare)
    // Of those that run, a runner may die and time passes without anything being written.
    this.#isDue = [...this.#told.values()].some(({ isBeingRun }) => isBeingRun)
    return events
  }

  #newIds({ workflows }: LedgerWatch): number[] {
    const newest = workflows.newestId()
    const known = Math.max(this.#newestId ?? newest, newest - mostKept)
    this.#newestId = newest
    return Array.from({ length: Math.max(0, newest - known) }, (_, index) => known + 1 + index)
  }

  /** Workflows whose jobs are in other states than when this was last asked. */
  #changedIds({ workflows }: LedgerWatch): number[] {
    this.#areMarksDue = false
    const before = this.#marks
    this.#marks = workflows.stateMarks((this.#newestId ?? 0) - mostKept)
    return [...this.#marks].flatMap(([id, mark]) => (before.get(id) === mark ? [] : [id]))
  }

  #forgetOldest(): void {
    for (const [id, { isBeingRun }] of this.#told) {
      if (this.#told.size <= mostKept) break
      if (!isBeingRun) this.#told.delete(id)
    }
  }

  /** `isChosen`: else it is told only if it is being run, or was told before. */
  #readOne(ledger: LedgerWatch, workflowId: number, isChosen: boolean): LiveWorkflowEvent[] {
    const head = ledger.workflows.head(workflowId)
    const told = this.#told.get(workflowId)
    if (head === undefined) {
      if (told === undefined) return []
      throw new SourceLost('a workflow was deleted')
    }
    const runs = ledger.workflows.runs(workflowId)
    const isBeingRun = lifeOfRunner(this.#system, this.#ledgerPath, head, runs) !== 'dead'
    if (told === undefined && !isBeingRun && !isChosen) return []
    const now = this.#system.clock.wallSeconds()
    const estimate = isBeingRun ? estimateOf(ledger, workflowId, runs.at(-1), now) : null
    const workflow = workflowOf(head, runs.at(-1), isBeingRun, estimate)
    if (told !== undefined && !isNews(told, workflow, now)) return []
    this.#told.delete(workflowId)
    this.#told.set(workflowId, workflow)
    return [{ kind: 'workflow', user: head.user, workflow }]
  }
}

/** When what runs will probably have ended, from what of it has. */
export function estimateOf(
  { workflows }: LedgerWatch,
  workflowId: number,
  run: RunRow | undefined,
  now: number,
): EndEstimate | null {
  if (run === undefined) return null
  const done = workflows.jobsDone(workflowId, run.startedAt, mostDone)
  return endEstimate(workflows.jobsToCome(workflowId), done, now)
}

/** How far a workflow has come, for whoever reads it once and for those who follow it. */
export function workflowOf(
  head: WorkflowHead,
  run: RunRow | undefined,
  isBeingRun: boolean,
  estimate: EndEstimate | null,
): LiveWorkflow {
  const { workflowId, name, user, states, jobCount } = head
  const done = jobCount - states.waiting - states.running
  return {
    workflowId,
    name,
    user,
    states,
    total: jobCount,
    done,
    failed: done - states.success,
    running: states.running,
    runId: run?.runId ?? null,
    runStartedAt: run?.startedAt ?? null,
    runEndedAt: run?.endedAt ?? null,
    isBeingRun,
    estimate,
  }
}

function isNews(told: LiveWorkflow, workflow: LiveWorkflow, now: number): boolean {
  const { estimate: before, ...toldFacts } = told
  const { estimate, ...facts } = workflow
  if (JSON.stringify(toldFacts) !== JSON.stringify(facts)) return true
  if (before === null || estimate === null) return before !== estimate
  const left = Math.max(1, estimate.endsAt - now)
  return (
    Math.abs(estimate.endsAt - before.endsAt) > movedShare * left ||
    Math.abs(estimate.latestAt - before.latestAt) > 2 * movedShare * left
  )
}
