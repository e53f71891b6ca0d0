import type { WorkflowAction } from '../../model/workflow.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import type { StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import type { LifeSign } from '../../store/spool/life-sign.ts'
import type { System } from '../../system/system.ts'
import type { Handle } from '../../workflow/executors/handle-in.ts'
import type { Capacity } from '../../workflow/run/capacity.ts'
import type { Executor } from '../../workflow/run/executor.ts'
import type { GivenSettings } from '../run-settings.ts'
import type { ExecutorName } from './executor-names.ts'

/** What a place elsewhere is opened with. */
export interface PlaceTools {
  readonly system: System
  readonly ledger: Ledger
  readonly settings: GivenSettings
  readonly workingDirectory: string
  /** Told what is wrong there. */
  readonly trouble: (message: string) => void
}

/** A workflow as it is to be run. Its number and when it was created tell it from those of other ledgers. */
export type UsedWorkflow = Pick<StoredWorkflow, 'workflow' | 'workflowId' | 'createdAt'>

/** Where the attempts of a run go, with what goes with that. */
export interface RunPlace {
  readonly name: ExecutorName
  readonly executor: Executor
  /** What may be used there; null: what this machine has. */
  readonly capacity: Capacity | null
  /** Whether this is where an attempt runs that has such a handle. */
  holds(handle: Handle): boolean
  /** Where stands what others must know of running attempts if the runner is killed. */
  readonly notes: Pick<LifeSign, 'note' | 'forget'>
  /** Told before anything is adopted or started: the workflow as it is to be run, and where its logs go. */
  use(stored: UsedWorkflow, outputDirectory: string): void
  /** Does what an action `schedule_nodes` asks for; absent where there are no nodes to schedule. */
  scheduleNodes?(action: WorkflowAction): void
  /** The run is over, and all results are kept. */
  tidy(): void
}
