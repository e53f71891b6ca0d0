import type { Owner } from '../model/machine.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import { notesOf, removeSign } from '../store/spool/life-sign.ts'
import type { LeftAttempt } from '../workflow/run/executor.ts'
import { parseLeftNote } from '../workflow/run/left-note.ts'

interface Runners {
  readonly us: Owner
  /** The one that had the workflow until now, and is dead. */
  readonly replaced: Owner | null
}

/**
 * Has somebody see to what runners that were killed may have left running: interrupted attempts, which are about to be run
 * again or are called cancelled, and scripts, which only the notes of their runner tell of.
 */
export function seeToLeftovers<T>(
  ledger: Ledger,
  workflowId: number,
  { us, replaced }: Runners,
  seeTo: (left: readonly LeftAttempt[]) => T,
): T {
  const attempts = ledger.workflows.results(workflowId, { status: ['interrupted'], allRuns: true })
  const left = new Map<string, LeftAttempt>()
  const signs = new Map<string, Owner>()
  for (const { record } of attempts) {
    const { taskId, owner } = record
    left.set(taskId, { taskId, owner, isScript: false, note: null })
    if (owner.sign !== undefined) signs.set(owner.sign.name, owner)
  }
  if (replaced?.sign !== undefined) signs.set(replaced.sign.name, replaced)
  for (const [name, owner] of signs)
    for (const note of notesOf(ledger.path, name)) {
      const { taskId, isScript } = parseLeftNote(note) ?? { taskId: '', isScript: false }
      const attempt = left.get(taskId)
      if (attempt !== undefined) left.set(taskId, { ...attempt, note })
      else if (isScript) left.set(taskId, { taskId, owner, isScript, note })
    }
  for (const { taskId, handle } of ledger.workflows.handles(workflowId)) {
    const attempt = left.get(taskId)
    if (attempt !== undefined) left.set(taskId, { ...attempt, note: handle })
  }
  const answer = seeTo([...left.values()])
  // What stood in them has been used; elsewhere there may be more to see to.
  for (const [name, { bootId, pidNamespace }] of signs)
    if (bootId === us.bootId && pidNamespace === us.pidNamespace) removeSign(ledger.path, name)
  return answer
}
