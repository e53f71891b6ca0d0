import type { Ledger } from '../store/ledger/ledger.ts'
import type { StoredWorkflow } from '../store/ledger/workflow-store.ts'
import type { System } from '../system/system.ts'
import { compareMended, type MendingWithStates } from '../workflow/run/mended.ts'
import { readSpec } from '../workflow/spec/read-spec.ts'
import { mostSpecBytes, toStore, wasSent, type SpecFile } from './spec-file.ts'
import { UserError } from './user-error.ts'
import { noWorkflow } from './workflow-lease.ts'

/** Where the file of a workflow is, and whether it says something else by now than what is stored. */
export interface SpecSince {
  readonly path: string
  readonly hasChanged: boolean
}

export function specSince(system: System, ledger: Ledger, workflowId: number): SpecSince {
  const stored = ledger.workflows.specOf(workflowId)
  if (stored === undefined) throw noWorkflow(workflowId)
  const { specPath: path, specText } = stored
  if (wasSent(path)) return { path, hasChanged: false }
  const now = system.files.readUtf8(path, mostSpecBytes)
  // A file that was deleted since is no loss.
  return { path, hasChanged: now.kind === 'ok' && !meansTheSame(path, specText, now.value) }
}

/** Comments and layout may differ. */
function meansTheSame(path: string, one: string, other: string): boolean {
  if (one === other) return true
  const [before, after] = [readSpec(one, path), readSpec(other, path)]
  return (
    before.kind === 'ok' &&
    after.kind === 'ok' &&
    JSON.stringify(before.workflow) === JSON.stringify(after.workflow)
  )
}

export interface MendedSpec {
  readonly spec: SpecFile
  readonly monitored: boolean
}

/** Puts a mended file in the place of what is stored; answers what that means. The lease must be ours. */
export function mendStored(
  ledger: Ledger,
  stored: StoredWorkflow,
  mended: MendedSpec,
): MendingWithStates {
  const { workflow, ...spec } = toStore(mended.spec, mended.monitored)
  const mending = compareMended(stored, workflow)
  if (mending.removed.length === stored.jobs.length)
    throw new UserError(
      `${mended.spec.path} has no job in common with workflow ${stored.workflowId} (${stored.workflow.name}). Is that the right id? See jobmeter workflows list`,
      'usage',
    )
  const { states } = mending
  ledger.workflows.mendWorkflow(stored.workflowId, { ...spec, workflow, states })
  return mending
}
