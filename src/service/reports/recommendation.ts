import type { Recommendation } from '../../analysis/sizing/recommendation.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import { writtenRequests } from '../../workflow/spec-edit/written-requests.ts'
import { sizeRequests } from '../size-requests.ts'

/** What each request of a workflow should be, by its newest runs; `spec`: the file if not the one that it was made of. */
export async function recommendRequests(
  { workflows }: Pick<LedgerReader, 'workflows'>,
  stored: StoredWorkflow,
  newestRuns: number,
  spec: { readonly text: string; readonly path: string } | null = null,
): Promise<Recommendation> {
  const rows = await workflows.utilizationRows(stored.workflowId, { allRuns: true })
  const firstRun = (stored.latestRunId ?? 0) - newestRuns + 1
  const { text, path } = spec ?? { text: stored.specText, path: stored.specPath }
  return sizeRequests(
    stored,
    rows.filter(({ runId }) => runId >= firstRun),
    writtenRequests(text, path),
  )
}
