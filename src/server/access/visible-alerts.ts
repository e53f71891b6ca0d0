import type { ListedAlert } from '../../model/alert.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { usersSeenBy } from './may-see.ts'
import { visibleLedger } from './visible-ledger.ts'
import type { Viewer } from './viewer.ts'

/** The alerts about attempts that a viewer may see. Of whose attempt nothing is known, only administrators see one. */
export async function visibleAlerts(
  ledger: LedgerReader,
  viewer: Viewer,
  alerts: readonly ListedAlert[],
): Promise<readonly ListedAlert[]> {
  if (usersSeenBy(viewer) === null) return alerts
  const { jobs } = visibleLedger(ledger, viewer)
  const known = new Map<string, boolean>()
  for (const { subject } of alerts)
    if (!known.has(subject.taskId))
      known.set(subject.taskId, (await jobs.findByPrefix(subject.taskId)).length > 0)
  return alerts.filter(({ subject }) => known.get(subject.taskId) === true)
}
