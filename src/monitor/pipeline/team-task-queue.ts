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
    const { user } = thisProgram().system.host
    return this.#ask((tasks) => tasks.submit(orders, user, this.#options))
  }

  async status(taskId: string): Promise<TaskStatus | undefined> {
    return this.#ask((tasks) => tasks.status(taskId))
  }

  async result(taskId: string): Promise<TaskResult | undefined> {
    return this.#ask((tasks) => tasks.result(taskId))
  }

  async cancel(taskId: string): Promise<boolean> {
    return this.#ask((tasks) => tasks.cancel(taskId))
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    // One that was never reached has nothing to cancel.
    const tasks = await this.#opening?.catch(() => undefined)
    if (tasks !== undefined) await this.#ask(() => tasks.close())
  }

  /** What speaks to PostgreSQL is loaded by the first who needs it. A server that was away is tried again by the next. */
  async #ask<T>(question: (tasks: TeamTasks) => Promise<T>): Promise<T> {
    if (this.#isClosed && this.#opening === undefined)
      throw new MonitorError('closed', 'the pipeline was closed')
    const { openTeamTasks, whyNoAnswer } = await import('./team-tasks.ts')
    try {
      this.#opening ??= openTeamTasks(this.#address, this.#options.note)
      const tasks = await this.#opening.catch((error: unknown) => {
        this.#opening = undefined
        throw error
      })
      return await question(tasks)
    } catch (error) {
      throw new MonitorError('no-queue', whyNoAnswer(error, this.#address))
    }
  }
}
