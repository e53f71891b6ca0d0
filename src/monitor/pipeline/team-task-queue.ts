import { MonitorError } from '../monitor-error.ts'
import { thisProgram } from '../this-program.ts'
import type { TaskOrder, TaskQueue, TaskResult, TaskStatus } from './task-queue.ts'
import type { TeamTaskQueueOptions } from './team-task-options.ts'
import type { TeamTasks } from './team-tasks.ts'

/**
 * Has the tasks of a pipeline run by the workers of a team (`jobmeter worker`), through the queue in its database. Tasks
 * that were submitted go on if this program ends without closing the pipeline.
 *
 * @example
 * ```ts
 * import { TaskPipeline, TeamTaskQueue, type TeamTaskQueueOptions } from 'jobmeter'
 *
 * const options: TeamTaskQueueOptions = { priority: 5, labels: ['scratch'] }
 * const queue = new TeamTaskQueue('postgres://db.example.org/jobmeter', options)
 * const pipeline = new TaskPipeline({ tools: { sh: ['sh', '-c', 'echo {params.a}'] }, queue })
 * console.log(typeof pipeline.submitTask) // function
 * await pipeline.close()
 * ```
 */
export class TeamTaskQueue implements TaskQueue {
  readonly #address: string
  readonly #options: TeamTaskQueueOptions
  #opening: Promise<TeamTasks> | undefined
  #isClosed = false

  constructor(address: string, options: TeamTaskQueueOptions = {}) {
    this.#address = address
    this.#options = options
  }

  async submit(orders: readonly TaskOrder[]): Promise<void> {
    if (this.#isClosed)
      throw new MonitorError('closed', 'the pipeline was closed. Make another TaskPipeline')
    await (await this.#team()).submit(orders, thisProgram().system.host.user, this.#options)
  }

  async status(taskId: string): Promise<TaskStatus | undefined> {
    return (await this.#team()).status(taskId)
  }

  async result(taskId: string): Promise<TaskResult | undefined> {
    return (await this.#team()).result(taskId)
  }

  async cancel(taskId: string): Promise<boolean> {
    return (await this.#team()).cancel(taskId)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await (await this.#opening)?.close()
  }

  /** What speaks to PostgreSQL is loaded by the first who needs it. */
  #team(): Promise<TeamTasks> {
    this.#opening ??= import('./team-tasks.ts').then(({ openTeamTasks }) =>
      openTeamTasks(this.#address),
    )
    return this.#opening
  }
}
