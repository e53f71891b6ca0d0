import type { Ledger } from '../../store/ledger/ledger.ts'
import type { StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import { parseHandle } from '../../workflow/executors/remote/remote-handle.ts'
import type { LeftAttempt } from '../../workflow/run/executor.ts'
import { UserError } from '../user-error.ts'
import { executorNames, type ExecutorName } from './executor-names.ts'
import type { Place, PlaceTools } from './place.ts'

/** What was asked for; else where the attempts of the last run went, or were to go if its runner died before that. */
export function chosenExecutor(
  ledger: Ledger,
  workflowId: number,
  asked: ExecutorName | undefined,
): ExecutorName {
  const run = ledger.workflows.runs(workflowId).at(-1)
  const last = run === undefined ? ledger.workflows.executorOf(workflowId) : run.executor
  return asked ?? executorNames.find((name) => name === last) ?? 'local'
}

/** The code of each is loaded where it is used. */
export async function openPlace(
  name: Exclude<ExecutorName, 'local'>,
  tools: PlaceTools,
): Promise<Place> {
  switch (name) {
    case 'queue': {
      const { openQueuePlace } = await import('./queue-place.ts')
      return openQueuePlace(tools)
    }
    case 'slurm': {
      const { openSlurmPlace } = await import('./slurm-place.ts')
      return openSlurmPlace(tools)
    }
  }
}

/**
 * What dead runners have left, by who can see to it: on this machine, or where attempts run now. What may still run at a
 * third place is nobody's to adopt here, and must not be run beside itself.
 */
export function leftBy(
  left: readonly LeftAttempt[],
  { workflowId, jobs }: StoredWorkflow,
  name: ExecutorName,
): { readonly here: readonly LeftAttempt[]; readonly there: readonly LeftAttempt[] } {
  const elsewhere = left.filter(({ note }) => parseHandle(note) !== undefined)
  // Of one that has no handle yet, nobody knows whether it was handed over.
  const isOurs = ({ note, isScript }: LeftAttempt): boolean =>
    note === null ? name !== 'local' && !isScript : parseHandle(note)?.executor === name
  const there = left.filter(isOurs)
  const isUnsettled = jobs.some(({ state }) => state === 'interrupted' || state === 'running')
  const [other] = isUnsettled ? elsewhere.filter((each) => !there.includes(each)) : []
  const otherName = parseHandle(other?.note ?? null)?.executor
  if (otherName !== undefined)
    throw new UserError(
      `attempts of workflow ${workflowId} may still run on ${otherName}. Go on there (jobmeter run --resume ${workflowId} --executor ${otherName}), or end them first: jobmeter workflows cancel ${workflowId}`,
    )
  return { here: left.filter((each) => !elsewhere.includes(each)), there }
}
