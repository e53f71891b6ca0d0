import { mendingText } from '../../render/workflow/mending-text.ts'
import type { Ledger } from '../../store/ledger.ts'
import type { StoredWorkflow } from '../../store/workflow-store.ts'
import type { System } from '../../system/system.ts'
import { compareMended } from '../../workflow/run/mended.ts'
import { readSpec } from '../../workflow/spec/read-spec.ts'
import { mostSpecBytes, readSpecFile, toStore, type SpecFile } from './spec-file.ts'
import { UserError } from '../terminal/user-error.ts'
import { noWorkflow } from './workflow-lease.ts'

/** Which of two to go on with, where a workflow's file has changed since it was stored. */
export const specWords = ['changed', 'stored'] as const
export type SpecWord = (typeof specWords)[number]

/**
 * The file that a workflow is to go on with, where that is not what is stored. Neither is taken silently: where they
 * differ in more than their looks, the user has to say which.
 */
export function specToResume(
  system: System,
  ledger: Ledger,
  workflowId: number,
  word: SpecWord | undefined,
): SpecFile | undefined {
  if (word === 'stored') return undefined
  const stored = ledger.workflows.specOf(workflowId)
  if (stored === undefined) throw noWorkflow(workflowId)
  const { specPath, specText } = stored
  if (word === 'changed') return readSpecFile(system, specPath)
  const now = system.files.readUtf8(specPath, mostSpecBytes)
  // A file that was deleted since is no loss.
  if (now.kind !== 'ok' || meansTheSame(specPath, specText, now.value)) return undefined
  throw new UserError(
    `${specPath} has changed since workflow ${workflowId} was stored. Say which to go on with:\n` +
      `  jobmeter run --resume ${workflowId} --use changed   the file as it is now: what changed runs again, with all that depends on it\n` +
      `  jobmeter run --resume ${workflowId} --use stored    what was stored then`,
    2,
  )
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

/** Puts a mended file in the place of what is stored; answers what it means, for people. The lease must be ours. */
export function mendStored(ledger: Ledger, stored: StoredWorkflow, mended: MendedSpec): string {
  const { workflow, ...spec } = toStore(mended.spec, mended.monitored)
  const mending = compareMended(stored, workflow)
  if (mending.removed.length === stored.jobs.length)
    throw new UserError(
      `${mended.spec.path} has no job in common with workflow ${stored.workflowId} (${stored.workflow.name}). Is that the right number? See jobmeter workflows list`,
      2,
    )
  const { states } = mending
  ledger.workflows.mendWorkflow(stored.workflowId, { ...spec, workflow, states })
  const left = states.filter((state) => state !== 'success').length
  return mendingText({ ...mending, left, total: states.length })
}
