import { mayRunContainer } from '../launch/launch.ts'
import type { Owner } from '../model/machine.ts'
import type { RunNotice } from '../model/run-notice.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { StoredWorkflow } from '../store/ledger/workflow-store.ts'
import { givenEnvironment } from '../system/given.ts'
import type { System } from '../system/system.ts'
import { UserError } from './user-error.ts'

/**
 * Ends the containers that killed runners of this machine left running. Refuses to go on beside one that cannot be ended: its
 * job would run twice at once.
 */
export async function seeToContainers(
  system: System,
  ledger: Ledger,
  { workflowId, workflow, jobs }: Pick<StoredWorkflow, 'workflowId' | 'workflow' | 'jobs'>,
  us: Owner,
  tell: (notice: RunNotice) => void,
): Promise<void> {
  const given = givenEnvironment()
  const left = ledger.workflows
    .results(workflowId, { status: ['interrupted'], allRuns: true })
    .map(({ record }) => record)
    .filter(({ owner, command }) => owner.bootId === us.bootId && mayRunContainer(command))
    .map(({ taskId, command, name }) => {
      const own = jobs.find(({ job }) => job.name === name)?.job.environment
      return { taskId, command, environment: { ...given, ...workflow.environment, ...own } }
    })
  if (left.length === 0) return
  const { endLeftContainers } = await import('../launch/container/left-containers.ts')
  const { ended, running, unasked } = await endLeftContainers(system, left)
  if (ended.length > 0) tell({ kind: 'containers ended', ids: ended })
  if (unasked.length > 0) tell({ kind: 'containers unknown', why: unasked })
  if (running.length > 0)
    throw new UserError(
      `a killed runner of workflow ${workflowId} left containers running that cannot be ended: ${running.join(', ')}. End them first`,
    )
}
