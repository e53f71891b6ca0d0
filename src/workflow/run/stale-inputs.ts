import type { FileMark, StoredJob } from '../../store/ledger/workflow-store.ts'
import type { Workflow } from '../../model/workflow.ts'
import type { Files } from '../../system/system.ts'
import { addFollowers } from './followers.ts'

/** What a job's input files are now; those that are not there are left out. */
export function markInputs(files: Files, workflow: Workflow, names: readonly string[]): FileMark[] {
  return names.flatMap((name) => {
    const path = workflow.files.find((file) => file.name === name)?.path
    const mark = path === undefined ? undefined : files.fingerprint(path)
    return path !== undefined && mark?.kind === 'ok' ? [{ path, ...mark.value }] : []
  })
}

/**
 * Jobs that succeeded with inputs that have changed since, and all that come after them: what they made is out
 * of date. Answers their positions, and the files that changed.
 */
export function findStale(
  files: Files,
  jobs: readonly StoredJob[],
  inputs: ReadonlyMap<number, readonly FileMark[]>,
): { readonly stale: ReadonlySet<number>; readonly changed: readonly string[] } {
  const changed = new Set<string>()
  const stale = new Set<number>()
  const marks = new Map<string, ReturnType<Files['fingerprint']>>()
  jobs.forEach(({ jobId, state }, position) => {
    if (state !== 'success') return
    for (const before of inputs.get(jobId) ?? []) {
      const now = marks.get(before.path) ?? files.fingerprint(before.path)
      marks.set(before.path, now)
      if (now.kind === 'ok' && isSame(before, now.value)) continue
      changed.add(before.path)
      stale.add(position)
    }
  })
  addFollowers(
    jobs.map(({ job }) => job),
    stale,
  )
  return { stale, changed: [...changed] }
}

/** Touching a file without changing it is no change, where the content could be compared. */
function isSame(before: FileMark, now: Omit<FileMark, 'path'>): boolean {
  if (before.sizeBytes !== now.sizeBytes) return false
  return before.hash === null || now.hash === null
    ? before.modifiedSeconds === now.modifiedSeconds
    : before.hash === now.hash
}
