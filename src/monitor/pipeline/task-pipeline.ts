import { resolve } from 'node:path'
import { wellFormed } from '../../model/well-formed.ts'
import { realClock } from '../../system/real-clock.ts'
import { sharedMonitor } from '../get-monitor.ts'
import { JobBook } from '../job-book.ts'
import { bookOf, type JobMonitor } from '../job-monitor.ts'
import { plainParams } from '../job-request.ts'
import { MonitorError } from '../monitor-error.ts'
import { thisProgram } from '../this-program.ts'
import { LocalQueue } from './local-queue.ts'
import type { TaskOrder, TaskQueue, TaskResult, TaskStatus } from './task-queue.ts'
import { findTool, refuseMissingScript, toolCommand, type Tools } from './tools.ts'

/**
 * Every option but the tools has a sensible default.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import {
 *   TaskPipeline,
 *   type TaskOptions,
 *   type TaskPipelineOptions,
 *   type WaitOptions,
 *   type WorkflowTask,
 * } from 'jobmeter'
 *
 * const options: TaskPipelineOptions = { tools: { sleep: ['sleep', '{params.seconds}'] }, parallel: 2 }
 * await using pipeline = new TaskPipeline(options)
 * const short: TaskOptions = { timeoutSeconds: 0.1 }
 * const tasks: WorkflowTask[] = [
 *   { tool: 'sleep', params: { seconds: 0 } },
 *   { tool: 'sleep', params: { seconds: 60 }, ...short },
 * ]
 * const patience: WaitOptions = { timeoutSeconds: 30 }
 * const ids = await pipeline.submitWorkflow(tasks, { sequential: false })
 * const results = await pipeline.waitForWorkflow(ids, patience)
 * assert.deepEqual(results.map(({ status }) => status), ['success', 'timeout'])
 * ```
 */
export interface TaskPipelineOptions {
  /** How each tool is run, by name. */
  readonly tools?: Tools
  /** How many tasks run at once; by default as many as there are cores. Not with `queue`, which decides that. */
  readonly parallel?: number
  /** Where tasks are recorded and logged: as the jobs of this monitor, by default those of `getMonitor()`. Not with `queue`. */
  readonly monitor?: JobMonitor
  /** Time between samples; 0.5 by default. */
  readonly intervalSeconds?: number
  /** Keeps what each task prints, as `<task id>.out` and `<task id>.err`; by default only its end is kept, in its result. Not with `queue`. */
  readonly outputDir?: string
  /** Where the tasks run; by default on this machine. */
  readonly queue?: TaskQueue
}

/**
 * What holds for one task.
 *
 * @see TaskPipelineOptions
 */
export interface TaskOptions {
  /** After so long the task is ended with the status `timeout`; by default as its tool says. */
  readonly timeoutSeconds?: number
}

/**
 * A task of a workflow.
 *
 * @see TaskPipelineOptions
 */
export interface WorkflowTask extends TaskOptions {
  readonly tool: string
  readonly script?: string
  readonly params?: Readonly<Record<string, unknown>>
}

/**
 * How long to wait.
 *
 * @see TaskPipelineOptions
 */
export interface WaitOptions {
  /** After so long the wait ends with an error; the task goes on. */
  readonly timeoutSeconds?: number
}

/**
 * Runs tasks of known tools, one after the other or several at once, each measured and recorded.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { TaskPipeline } from 'jobmeter'
 *
 * await using pipeline = new TaskPipeline({
 *   tools: { sh: ['sh', '-c', 'echo "mesh {params.mesh_size}"'] },
 * })
 * const taskId = await pipeline.submitTask('sh', undefined, { mesh_size: 64 })
 * const result = await pipeline.waitForTask(taskId)
 * assert.equal(result.stdout, 'mesh 64\n')
 * console.log(`Duration: ${result.duration_seconds} s`)
 * console.log(`Memory peak: ${result.resource_usage.memory_peak_mb} MB`)
 * ```
 */
export class TaskPipeline implements AsyncDisposable {
  readonly #tools: Tools
  readonly #queue: TaskQueue
  readonly #intervalSeconds: number | undefined

  constructor(options: TaskPipelineOptions = {}) {
    const { system } = thisProgram()
    const { tools = {}, parallel = system.host.cores, intervalSeconds = 0.5 } = options
    if (!(Number.isInteger(parallel) && parallel > 0))
      throw new MonitorError('not-valid', 'parallel must be a whole number of 1 or more')
    if (!(intervalSeconds >= 0.01))
      throw new MonitorError('not-valid', 'intervalSeconds must be 0.01 or more')
    this.#tools = tools
    this.#intervalSeconds = options.intervalSeconds
    if (options.queue !== undefined) refuseLocalOptions(options)
    const outputDir = options.outputDir === undefined ? undefined : resolve(options.outputDir)
    this.#queue =
      options.queue ??
      new LocalQueue(bookFinder(options.monitor), { parallel, intervalSeconds, outputDir })
  }

  /** Takes a task and answers its id. It begins as soon as it is its turn. */
  async submitTask(
    tool: string,
    script?: string,
    params: Readonly<Record<string, unknown>> = {},
    options: TaskOptions = {},
  ): Promise<string> {
    const task = { ...options, tool, ...(script === undefined ? {} : { script }), params }
    const order = this.#order(task, null)
    await this.#queue.submit([order])
    return order.taskId
  }

  /** Resolves when a task is over. A task that failed is a result, not an exception. */
  async waitForTask(taskId: string, options: WaitOptions = {}): Promise<TaskResult> {
    const result = await within(options.timeoutSeconds, taskId, this.#queue.result(taskId))
    return result ?? unknownTask(taskId)
  }

  /**
   * Takes several tasks and answers their ids. With `sequential`, which is the default, each begins when the one before it
   * has succeeded, and those after a failure are not run; else all begin as soon as it is their turn.
   */
  async submitWorkflow(
    tasks: readonly WorkflowTask[],
    { sequential = true }: { readonly sequential?: boolean } = {},
  ): Promise<string[]> {
    const orders: TaskOrder[] = []
    // All are looked at before the first begins.
    for (const task of tasks)
      orders.push(this.#order(task, sequential ? (orders.at(-1)?.taskId ?? null) : null))
    await this.#queue.submit(orders)
    return orders.map(({ taskId }) => taskId)
  }

  /** The results of several tasks, in the order of the ids, when all are over. */
  waitForWorkflow(taskIds: readonly string[], options: WaitOptions = {}): Promise<TaskResult[]> {
    return Promise.all(taskIds.map((taskId) => this.waitForTask(taskId, options)))
  }

  async getTaskStatus(taskId: string): Promise<TaskStatus> {
    return (await this.#queue.status(taskId)) ?? unknownTask(taskId)
  }

  /** Ends a task, whether or not it has begun; false if it is over already. */
  async cancelTask(taskId: string): Promise<boolean> {
    await this.getTaskStatus(taskId)
    return this.#queue.cancel(taskId)
  }

  /** Cancels what is not over, and resolves when nothing runs any more. */
  close(): Promise<void> {
    return this.#queue.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #order(
    { tool, script = '', params = {}, ...options }: WorkflowTask,
    after: string | null,
  ): TaskOrder {
    const { system } = thisProgram()
    const definition = findTool(this.#tools, tool)
    const task = wellFormed({ script: script === '' ? null : script, params: plainParams(params) })
    const command = toolCommand(tool, definition, task)
    refuseMissingScript(system.files, tool, definition, task.script)
    return {
      taskId: system.randomId(),
      tool: tool.toWellFormed(),
      ...task,
      command,
      workingDirectory: resolve(definition.workingDirectory ?? '.'),
      environment: definition.environment ?? {},
      timeoutSeconds: positive(
        options.timeoutSeconds ?? definition.timeoutSeconds,
        'timeoutSeconds',
      ),
      memoryLimitBytes: positive(definition.memoryLimitBytes, 'memoryLimitBytes'),
      ...(this.#intervalSeconds === undefined ? {} : { intervalSeconds: this.#intervalSeconds }),
      after,
    }
  }
}

/** What only the queue of this machine can do must not be thought to be done by another. */
function refuseLocalOptions(options: TaskPipelineOptions): void {
  const given = (['parallel', 'monitor', 'outputDir'] as const).find(
    (name) => options[name] !== undefined,
  )
  if (given !== undefined)
    throw new MonitorError(
      'not-valid',
      `${given} is of tasks that run on this machine, and cannot be given with queue: ${insteadOf[given]}`,
    )
}

const insteadOf = {
  parallel: 'how many run at once is for the queue to say, and for its workers',
  monitor: 'workers record the tasks where they run, and results tell what they used',
  outputDir: 'results have the end of what a task printed, and jobmeter logs has more',
} as const

/** Where tasks are told: to their monitor, else to the one that all share once there is one, as that would be without options. */
function bookFinder(monitor: JobMonitor | undefined): () => JobBook {
  if (monitor !== undefined) return () => bookOf(monitor)
  const plain = new JobBook(thisProgram().system, {})
  return () => {
    const shared = sharedMonitor()
    return shared === undefined ? plain : bookOf(shared)
  }
}

function positive(value: number | undefined, what: string): number | null {
  if (value === undefined) return null
  if (value > 0 && value < Infinity) return value
  throw new MonitorError('not-valid', `${what} ${value} must be a number above 0`)
}

function unknownTask(taskId: string): never {
  throw new MonitorError(
    'unknown-task',
    `this pipeline has no task "${taskId}". If it was over long ago, getMonitor().getJobStats has its record`,
  )
}

/** A wait that is given up takes its timer with it. */
async function within<T>(
  seconds: number | undefined,
  taskId: string,
  wait: Promise<T>,
): Promise<T> {
  const limit = positive(seconds, 'timeoutSeconds')
  if (limit === null) return wait
  const { promise, reject } = Promise.withResolvers<never>()
  const cancel = realClock.after(limit, () =>
    reject(
      new MonitorError(
        'not-over-yet',
        `task ${taskId} is not over after ${limit} s and goes on. Wait again, or end it with cancelTask`,
      ),
    ),
  )
  try {
    return await Promise.race([wait, promise])
  } finally {
    cancel()
  }
}
