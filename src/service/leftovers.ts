import type { Owner } from '../model/machine.ts'
import { killLeftovers, parseTrace } from '../launch/leftovers.ts'
import { ourselves } from '../record/owner.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import { notesOf, removeSign } from '../store/spool/life-sign.ts'
import type { System } from '../system/system.ts'

/**
 * A runner that was killed may have left its jobs running; they are about to be run again, or are called cancelled.
 * Answers the processes that were ended.
 */
export function endLeftovers(
  system: System,
  ledger: Ledger,
  workflowId: number,
  replaced: Owner | null,
): readonly number[] {
  const us = ourselves(system)
  const attempts = ledger.workflows.results(workflowId, { status: 'interrupted', allRuns: true })
  const ours = attempts.filter(({ record: { owner } }) => owner.bootId === us.bootId)
  const taskIds = new Set(ours.map(({ record }) => record.taskId))
  // Pids of another namespace name other processes here.
  const owners = [
    ...ours.map(({ record }) => record.owner),
    ...(replaced === null ? [] : [replaced]),
  ]
  const signs = owners.flatMap(({ sign, bootId, pidNamespace }) =>
    sign !== undefined && bootId === us.bootId && pidNamespace === us.pidNamespace ? sign.name : [],
  )
  const names = [...new Set(signs)]
  const noted = names
    .flatMap((name) => notesOf(ledger.path, name))
    .flatMap((note) => parseTrace(note) ?? [])
  for (const { taskId, isScript } of noted) if (isScript === true) taskIds.add(taskId)
  const traces = noted.filter(({ taskId }) => taskIds.has(taskId))
  const ended = killLeftovers(system, taskIds, traces)
  // What stood in them has been used.
  for (const name of names) removeSign(ledger.path, name)
  return ended
}
