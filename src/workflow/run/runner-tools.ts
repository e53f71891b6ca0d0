import type { Machine, Owner } from '../../model/machine.ts'
import type { WorkflowAction } from '../../model/workflow.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import type { LockWait } from '../../store/sqlite/lock-wait.ts'
import type { LifeSign } from '../../store/spool/life-sign.ts'
import type { System } from '../../system/system.ts'
import type { Capacity } from './capacity.ts'
import type { Executor, LeftAttempt } from './executor.ts'
import type { Scripts } from './scripts.ts'

/** What a runner works with. */
export interface RunnerTools {
  readonly system: System
  readonly executor: Executor
  /** For who resumes the workflow; without it: attempts run on this machine. */
  readonly executorName?: string
  /** Attempts of a runner that died, which the executor has adopted. */
  readonly adopted: readonly LeftAttempt[]
  readonly scripts: Scripts
  /** Does what an action `schedule_nodes` asks for; absent where there are no nodes to schedule. */
  readonly scheduleNodes?: (action: WorkflowAction) => void
  readonly ledger: Ledger
  /** How to wait for others who have the ledger locked while no job runs. */
  readonly lockWait: LockWait
  readonly owner: Owner
  /** Where stands what others must know of running jobs if the runner is killed. */
  readonly notes: Pick<LifeSign, 'note' | 'forget'>
  /** The runner's own. */
  readonly machine: Machine
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
  readonly shell: string
}

export interface RunSettings {
  readonly capacity: Capacity
  readonly outputDirectory: string
  readonly failFast: boolean
  /** Whether declared files that are missing are failures. */
  readonly strictFiles: boolean
  readonly graceSeconds: number
}
