import { mayHideContainer, mayRunContainer } from '../launch/launch.ts'
import type { Owner } from '../model/machine.ts'
import { leftBehindText } from '../model/outcome.ts'
import type { JobRecord } from '../model/record.ts'
import type { RunNotice } from '../model/run-notice.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { ResultQuery, StoredWorkflow } from '../store/ledger/workflow-store.ts'
import { givenEnvironment } from '../system/given.ts'
import type { System } from '../system/system.ts'
import { UserError } from './user-error.ts'

/** What is known of the containers of earlier runs once they were seen to. */
export interface SeenTo {
  /** A daemon could not be asked. */
  readonly isUnsure: boolean
  /** What the last attempts of jobs have left, and nobody could be asked to end. */
  readonly unended: readonly Unended[]
}

export interface Unended {
  readonly jobName: string
  readonly what: string
}

/**
 * Ends the containers that earlier runs left running on this machine: those of killed runners, also of jobs that came to another
 * end since, whose daemon may not have answered then, and those that could not be ended with their attempt. Refuses to go on beside
 * one that cannot be ended: its job would run twice at once. For that reason a job has run again here only once what it had left
 * was ended, so that only its last attempt can still have left something.
 */
export async function seeToContainers(
  system: System,
  ledger: Ledger,
  { workflowId, workflow, jobs }: Pick<StoredWorkflow, 'workflowId' | 'workflow' | 'jobs'>,
  us: Owner,
  tell: (notice: RunNotice) => void,
): Promise<SeenTo> {
  const given = givenEnvironment()
  const ofThisBoot = (query: ResultQuery): JobRecord[] =>
    ledger.workflows
      .results(workflowId, query)
      .map(({ record }) => record)
      .filter(({ owner }) => owner.bootId === us.bootId)
  const interrupted = { status: ['interrupted'] } as const
  // Of a job that has run again since, it was told then.
  const unknown = await whyUnknown(ofThisBoot(interrupted))
  if (unknown.length > 0) tell({ kind: 'containers unknown', why: unknown })
  const told = ofThisBoot({ leftSomething: true })
  const elsewhere = told.filter(({ machine }) => machine.host !== us.host)
  if (elsewhere.length > 0) tell({ kind: 'containers unknown', why: elsewhere.map(leftThere) })
  const here = told.filter(({ machine }) => machine.host === us.host)
  const left = [...ofThisBoot({ ...interrupted, allRuns: true }), ...here]
    .filter(({ command }) => mayRunContainer(command))
    .map(({ taskId, command, name }) => {
      const own = jobs.find(({ job }) => job.name === name)?.job.environment
      return { taskId, command, environment: { ...given, ...workflow.environment, ...own } }
    })
  if (left.length === 0) return { isUnsure: elsewhere.length > 0, unended: [] }
  const { endLeftContainers } = await import('../launch/container/left-containers.ts')
  const { ended, running, unasked, unaskedTaskIds } = await endLeftContainers(system, left)
  if (ended.length > 0) tell({ kind: 'containers ended', ids: ended })
  if (unasked.length > 0) tell({ kind: 'containers unknown', why: unasked })
  if (running.length > 0)
    throw new UserError(
      `an earlier run of workflow ${workflowId} left containers running that cannot be ended: ${running.join(', ')}. End them first`,
    )
  const unended = here
    .filter(({ taskId }) => unaskedTaskIds.includes(taskId))
    .map(({ name, stragglers }) => ({
      jobName: name,
      what: `job ${name} ${leftBehindText(stragglers)}`,
    }))
  return { isUnsure: unasked.length + elsewhere.length > 0, unended }
}

const leftThere = ({ name, machine, stragglers }: JobRecord): string =>
  `job ${name} ran on ${machine.host} and ${leftBehindText(stragglers)}`

/** Goes on beside nothing that earlier runs are known to have left, as `seeToContainers` does not. */
export function refuseUnended(
  { workflowId, jobs }: Pick<StoredWorkflow, 'workflowId' | 'jobs'>,
  unended: readonly Unended[],
): void {
  const runsAgain = new Set(
    jobs.filter(({ state }) => state !== 'success').map(({ job }) => job.name),
  )
  const beside = unended.filter(({ jobName }) => runsAgain.has(jobName))
  if (beside.length === 0) return
  throw new UserError(
    `workflow ${workflowId} is not resumed, for what it left would run beside the same job: ${beside.map(({ what }) => what).join('; ')}. Resume it when the daemon answers again`,
  )
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
