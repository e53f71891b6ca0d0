import { daySeconds } from '../../model/time-parts.ts'
import { labelText } from '../../analysis/metrics/label-book.ts'
import type { WorkflowMetrics } from '../../model/metric-facts.ts'
import type { Owner } from '../../model/machine.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'

/** Of more than this only the newest are told. */
const mostWorkflows = 50

/** Workflows that are being run, or whose last run ended within a day; the newest ones. */
export async function recentWorkflows(
  { workflows }: LedgerReader,
  now: number,
  isDead: (owner: Owner, heardAt: number) => boolean,
): Promise<WorkflowMetrics[]> {
  const since = now - daySeconds
  const found: WorkflowMetrics[] = []
  // Runs whose runner was killed never end: there may be many of them.
  for (const run of await workflows.recentRuns(since, 4 * mostWorkflows)) {
    if (found.length >= mostWorkflows) break
    const head = await workflows.findWorkflowRow(run.workflowId)
    if (head === undefined) continue
    const { workflowId, name, user, states, leasedBy } = head
    const { startedAt, endedAt } = run
    const isRun = leasedBy !== null && !isDead(leasedBy, startedAt)
    if (endedAt === null && !isRun && startedAt < since) continue
    found.push({
      workflowId,
      name: labelText(name),
      user: labelText(user),
      states,
      runStartedAt: startedAt,
      runEndedAt: endedAt,
    })
  }
  return found
}
