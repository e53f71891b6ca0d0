import type { Ledger } from '../../store/ledger/ledger.ts'
import type { StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import { handleIn, type Handle } from '../../workflow/executors/handle-in.ts'
import type { LeftAttempt } from '../../workflow/run/executor.ts'
import { UserError } from '../user-error.ts'
import { executorNames, type ExecutorName } from './executor-names.ts'
import type { RunPlace, PlaceTools } from './run-place.ts'

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
): Promise<RunPlace> {
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
  place: Pick<RunPlace, 'name' | 'holds'>,
): { readonly here: readonly LeftAttempt[]; readonly there: readonly LeftAttempt[] } {
  const isUnsettled = jobs.some(({ state }) => state === 'interrupted' || state === 'running')
  const here: LeftAttempt[] = []
  const there: LeftAttempt[] = []
  for (const each of left) {
    const handle = handleIn(each.note)
    // Of one that has no handle yet, nobody knows whether it was handed over.
    const isUnknown = each.note === null && place.name !== 'local' && !each.isScript
    if (isUnknown || (handle !== undefined && place.holds(handle))) there.push(each)
    else if (handle !== undefined && isUnsettled) throw stillThere(workflowId, handle)
    if (handle === undefined) here.push(each)
  }
  return { here, there }
}

function stillThere(workflowId: number, handle: Handle): UserError {
  const isQueue = 'queue' in handle
  const where = isQueue ? `in the queue at ${handle.queue.address}` : `on ${handle.executor}`
  const resume = `jobmeter run --resume ${workflowId} --executor ${handle.executor}`
  const there = isQueue ? `JOBMETER_TEAM=${handle.queue.address} ${resume}` : resume
  return new UserError(
    `attempts of workflow ${workflowId} may still run ${where}. Go on there (${there}), or end them first: jobmeter workflows cancel ${workflowId}`,
  )
}
