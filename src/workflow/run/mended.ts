import type { JobState } from '../../model/job-state.ts'
import type { Mending } from '../../model/run-notice.ts'
import type { Workflow, WorkflowJob } from '../../model/workflow.ts'
import type { StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import { addFollowers } from './followers.ts'

/** What a mended file changes, and how the jobs stand then. */
export interface MendingWithStates extends Mending {
  /** How each job of the mended workflow stands: as a success that is kept, or waiting. */
  readonly states: readonly Extract<JobState, 'success' | 'waiting'>[]
}

/** Compares a mended workflow with the one that is stored. */
export function compareMended(before: StoredWorkflow, after: Workflow): MendingWithStates {
  const known = new Map(before.jobs.map((stored) => [stored.job.name, stored]))
  const isChanged = comparison(before.workflow, after)
  const again = new Set<number>()
  const changed: string[] = []
  const added: string[] = []
  after.jobs.forEach((job, position) => {
    const old = known.get(job.name)
    if (old === undefined) added.push(job.name)
    else if (isChanged(old.job, job)) changed.push(job.name)
    else return
    again.add(position)
  })
  const first = new Set(again)
  addFollowers(after.jobs, again)
  const succeeded = ({ name }: WorkflowJob): boolean => known.get(name)?.state === 'success'
  const names = new Set(after.jobs.map(({ name }) => name))
  return {
    changed,
    added,
    following: after.jobs
      .filter((job, position) => again.has(position) && !first.has(position) && succeeded(job))
      .map(({ name }) => name),
    removed: [...known.keys()].filter((name) => !names.has(name)),
    states: after.jobs.map((job, position) =>
      succeeded(job) && !again.has(position) ? 'success' : 'waiting',
    ),
  }
}

/**
 * Whether a job's result would be another. What it asks for (CPUs, memory, time), its priority and what is done when it
 * fails change how it runs and not what it does.
 */
function comparison(before: Workflow, after: Workflow) {
  const old = new Parts(before)
  const now = new Parts(after)
  const waitsForMore = growth()
  return (was: WorkflowJob, is: WorkflowJob): boolean =>
    old.textOf(was) !== now.textOf(is) || waitsForMore(was.dependsOn, is.dependsOn)
}

/** What of a job decides on its result, with names replaced by what they stand for. */
class Parts {
  readonly #environment: Workflow['environment']
  readonly #paths: ReadonlyMap<string, string>
  readonly #data: ReadonlyMap<string, unknown>

  constructor({ environment, files, userData }: Workflow) {
    this.#environment = environment
    this.#paths = new Map(files.map(({ name, path }) => [name, path]))
    this.#data = new Map(userData.map(({ name, data }) => [name, data]))
  }

  textOf(job: WorkflowJob): string {
    const paths = (names: readonly string[]) => names.map((name) => this.#paths.get(name) ?? name)
    const environment = Object.entries({ ...this.#environment, ...job.environment })
    return JSON.stringify([
      job.command,
      job.invocationScript,
      job.container ?? null,
      environment.toSorted(([a], [b]) => (a < b ? -1 : 1)),
      paths(job.inputFiles),
      paths(job.outputFiles),
      job.inputUserData.map((name) => [name, this.#data.get(name)]),
      job.outputUserData,
    ])
  }
}

/** Whether a list of names has one that another lacks. Jobs behind a barrier share theirs: each two are compared once. */
function growth() {
  const known = new Map<readonly string[], Map<readonly string[], boolean>>()
  return (was: readonly string[], is: readonly string[]): boolean => {
    const ofThis = known.get(is) ?? new Map<readonly string[], boolean>()
    known.set(is, ofThis)
    const answer = ofThis.get(was) ?? hasMore(was, is)
    ofThis.set(was, answer)
    return answer
  }
}

function hasMore(was: readonly string[], is: readonly string[]): boolean {
  const before = new Set(was)
  return is.some((name) => !before.has(name))
}
