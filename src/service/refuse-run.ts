import type { Misfit } from '../model/plan.ts'
import type { AbsentInput, RunNotice } from '../model/run-notice.ts'
import type { StoredWorkflow } from '../store/ledger/workflow-store.ts'
import type { System } from '../system/system.ts'
import { misfitsOf } from '../workflow/run/capacity.ts'
import { DeclaredFiles } from '../workflow/run/declared-files.ts'
import type { RunSettings } from '../workflow/run/runner-tools.ts'

/** Jobs ask for more than may ever be used; nothing was started. */
export class UnfitJobs extends Error {
  readonly misfits: readonly Misfit[]

  constructor(misfits: readonly Misfit[]) {
    super(`${misfits.length} requests can never be met`)
    this.misfits = misfits
  }
}

/** Declared inputs are not there, and missing files are failures; nothing was started. */
export class AbsentInputs extends Error {
  readonly absent: readonly AbsentInput[]

  constructor(absent: readonly AbsentInput[]) {
    super(`${absent.length} declared inputs are missing`)
    this.absent = absent
  }
}

export function refuseUnfit(stored: StoredWorkflow, { capacity }: RunSettings): void {
  const unfinished = stored.jobs.filter(({ state }) => state !== 'success')
  const misfits = misfitsOf(
    unfinished.map(({ job }) => job),
    capacity,
  )
  if (misfits.length > 0) throw new UnfitJobs(misfits)
}

/** Refuses, or tells of, inputs that are not there: before hours have gone by until a job finds out. */
export function checkInputs(
  system: System,
  stored: StoredWorkflow,
  { strictFiles }: RunSettings,
  tell: (notice: RunNotice) => void,
): void {
  const absent = new DeclaredFiles(system.files, stored.workflow).absentInputs(stored.jobs)
  if (absent.length === 0) return
  if (strictFiles) throw new AbsentInputs(absent)
  tell({ kind: 'inputs absent', absent })
}
