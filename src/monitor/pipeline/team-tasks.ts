import { noRequirements } from '../../model/job.ts'
import { queueTag } from '../../model/queue-tag.ts'
import { isOver, type QueueJob, type QueueSubmission } from '../../model/queue.ts'
import { JobWaiter } from '../../store/postgres/queue/job-waiter.ts'
import { attemptsOf, findJobs } from '../../store/postgres/queue/jobs.ts'
import { logTail } from '../../store/postgres/queue/logs.ts'
import { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import type { TaskOrder, TaskResult, TaskStatus } from './task-queue.ts'
import { entryOf } from './team-result.ts'
import type { TeamTaskQueueOptions } from './team-task-options.ts'
import { unbegun } from './unbegun.ts'

const mostOutputBytes = 65_536
const idPattern = /^[0-9a-f]{32}$/

export const openTeamTasks = async (address: string): Promise<TeamTasks> =>
  new TeamTasks(await TeamQueue.open(address))

/** The tasks of a pipeline in the queue of a team. */
export class TeamTasks {
  readonly #queue: TeamQueue
  readonly #waiter: JobWaiter
  /** Submitted here, and not known to be over. */
  readonly #open = new Set<string>()
  readonly #asked = new Set<Promise<unknown>>()

  constructor(queue: TeamQueue) {
    this.#queue = queue
    this.#waiter = new JobWaiter(queue)
  }

  async submit(
    orders: readonly TaskOrder[],
    user: string,
    options: TeamTaskQueueOptions,
  ): Promise<void> {
    await this.#queue.submit(orders.map((order) => submissionOf(order, user, options)))
    for (const { taskId } of orders) this.#open.add(taskId)
  }

  async status(taskId: string): Promise<TaskStatus | undefined> {
    const state = (await this.#find(taskId))?.state
    return state === 'waiting' || state === 'queued' ? 'pending' : state
  }

  async result(taskId: string): Promise<TaskResult | undefined> {
    const asked = this.#result(taskId)
    this.#asked.add(asked)
    try {
      return await asked
    } finally {
      this.#asked.delete(asked)
    }
  }

  async cancel(taskId: string): Promise<boolean> {
    return idPattern.test(taskId) && this.#queue.cancel(taskId)
  }

  async close(): Promise<void> {
    for (const taskId of this.#open) await this.#queue.cancel(taskId)
    await Promise.all(Array.from(this.#open, (taskId) => this.#waiter.wait(taskId)))
    // Whoever waits for a result reads it before the connections are gone.
    await Promise.allSettled(this.#asked)
    this.#waiter.close()
    await this.#queue.close()
  }

  async #result(taskId: string): Promise<TaskResult | undefined> {
    if ((await this.#find(taskId)) === undefined) return undefined
    await this.#waiter.wait(taskId)
    const job = await this.#find(taskId)
    if (job === undefined || !isOver(job.state)) return undefined
    this.#open.delete(taskId)
    return resultOf(this.#queue, job, job.state)
  }

  async #find(taskId: string): Promise<QueueJob | undefined> {
    if (!idPattern.test(taskId)) return undefined
    const [job] = await findJobs(this.#queue.database, [taskId])
    return job
  }
}

function submissionOf(
  task: TaskOrder,
  user: string,
  { priority = 0, labels = [], interruptions = 3, intervalSeconds = 0.5 }: TeamTaskQueueOptions,
): QueueSubmission {
  const { taskId, after, timeoutSeconds, memoryLimitBytes, ...known } = task
  const order = {
    ...known,
    name: task.script ?? task.tool,
    tags: [queueTag(taskId)],
    requirements: noRequirements,
    labels,
    image: '',
    timeoutSeconds,
    memoryLimitBytes,
    graceSeconds: 10,
    intervalSeconds,
  }
  return { id: taskId, user, priority, retries: 0, interruptions, after, order }
}

async function resultOf(
  { database }: TeamQueue,
  job: QueueJob,
  state: TaskResult['status'],
): Promise<TaskResult> {
  const latest = (await attemptsOf(database, [job.id])).at(-1)
  const order = { taskId: job.id, ...job.order }
  const { taskId = '', result = null } = latest ?? {}
  if (result === null) return unbegun(order, state, job.reason ?? 'nothing is known of it')
  const stdout = await logTail(database, taskId, 'stdout', mostOutputBytes)
  const stderr = await logTail(database, taskId, 'stderr', mostOutputBytes)
  return { ...entryOf(job, result), stdout, stderr }
}
