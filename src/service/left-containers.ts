import { mayHideContainer, mayRunContainer } from '../launch/launch.ts'
import type { Owner } from '../model/machine.ts'
import type { JobRecord } from '../model/record.ts'
import type { RunNotice } from '../model/run-notice.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { StoredWorkflow } from '../store/ledger/workflow-store.ts'
import { givenEnvironment } from '../system/given.ts'
import type { System } from '../system/system.ts'
import { UserError } from './user-error.ts'

/**
 * Ends the containers that killed runners of this machine left running, also those of jobs that came to another end since: their
 * daemon may not have answered then. Refuses to go on beside one that cannot be ended: its job would run twice at once. Answers
 * false where a daemon could not be asked.
 */
export async function seeToContainers(
  system: System,
  ledger: Ledger,
  { workflowId, workflow, jobs }: Pick<StoredWorkflow, 'workflowId' | 'workflow' | 'jobs'>,
  us: Owner,
  tell: (notice: RunNotice) => void,
): Promise<boolean> {
  const given = givenEnvironment()
  const interrupted = (allRuns: boolean): JobRecord[] =>
    ledger.workflows
      .results(workflowId, { status: ['interrupted'], allRuns })
      .map(({ record }) => record)
      .filter(({ owner }) => owner.bootId === us.bootId)
  // Of a job that has run again since, it was told then.
  const unknown = await whyUnknown(interrupted(false))
  if (unknown.length > 0) tell({ kind: 'containers unknown', why: unknown })
  const left = interrupted(true)
    .filter(({ command }) => mayRunContainer(command))
    .map(({ taskId, command, name }) => {
      const own = jobs.find(({ job }) => job.name === name)?.job.environment
      return { taskId, command, environment: { ...given, ...workflow.environment, ...own } }
    })
  if (left.length === 0) return true
  const { endLeftContainers } = await import('../launch/container/left-containers.ts')
  const { ended, running, unasked } = await endLeftContainers(system, left)
  if (ended.length > 0) tell({ kind: 'containers ended', ids: ended })
  if (unasked.length > 0) tell({ kind: 'containers unknown', why: unasked })
  if (running.length > 0)
    throw new UserError(
      `a killed runner of workflow ${workflowId} left containers running that cannot be ended: ${running.join(', ')}. End them first`,
    )
  return unasked.length === 0
}

/** Containers that a script starts have no label to find them by. */
async function whyUnknown(
  interrupted: readonly { readonly name: string; readonly command: readonly string[] }[],
): Promise<readonly string[]> {
  const may = interrupted.filter(
    ({ command }) => !mayRunContainer(command) && mayHideContainer(command),
  )
  if (may.length === 0) return []
  const { hiddenEngine } = await import('../launch/container/command-prefix.ts')
  const why = may.flatMap(({ name, command }) => {
    const engine = hiddenEngine(command)
    return engine === undefined
      ? []
      : `it seems that a script of job ${name} starts "${engine} run"`
  })
  return [...new Set(why)]
}
