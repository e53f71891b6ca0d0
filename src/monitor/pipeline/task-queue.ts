import type { AttemptStatus } from '../../model/outcome.ts'
import type { HistoryEntry } from '../job-json.ts'

/**
 * A task with all that is needed to run it, here or elsewhere: plain data.
 *
 * @see TaskQueue
 */
export interface TaskOrder {
  /** 32 hexadecimal digits that no other task has. */
  readonly taskId: string
  readonly tool: string
  readonly script: string | null
  readonly params: Readonly<Record<string, unknown>>
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[]
  readonly workingDirectory: string
  /** Variables on top of the environment of whoever runs it. */
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutSeconds: number | null
  readonly memoryLimitBytes: number | null
  /** Time between samples, where the pipeline says so. */
  readonly intervalSeconds?: number
  /** The task that must have succeeded before this one begins. */
  readonly after: string | null
}

/**
 * `pending` until it begins.
 *
 * @see TaskQueue
 */
export type TaskStatus = 'pending' | AttemptStatus

/**
 * What came of a task, under the documented keys. Of one that never began, times and figures are null.
 *
 * @see TaskQueue
 */
export interface TaskResult extends HistoryEntry {
  /** The last 64 KiB of what it printed. */
  readonly stdout: string
  readonly stderr: string
}

/**
 * Where the tasks of a pipeline run. `LocalQueue` runs them on this machine; a queue that hands them to workers elsewhere
 * can take its place. Every queue passes `test/contracts/task-queue.ts`.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import {
 *   TaskPipeline,
 *   type TaskOrder,
 *   type TaskQueue,
 *   type TaskResult,
 *   type TaskStatus,
 * } from 'jobmeter'
 *
 * // A queue that only notes what it is given.
 * class Notes implements TaskQueue {
 *   readonly orders: TaskOrder[] = []
 *   submit = async (orders: readonly TaskOrder[]): Promise<void> => void this.orders.push(...orders)
 *   status = async (): Promise<TaskStatus | undefined> => 'pending'
 *   result = async (): Promise<TaskResult | undefined> => undefined
 *   cancel = async (): Promise<boolean> => false
 *   close = async (): Promise<void> => {}
 * }
 * const queue = new Notes()
 * const pipeline = new TaskPipeline({ tools: { echo: ['echo', '{params.a}'] }, queue })
 * await pipeline.submitTask('echo', undefined, { a: 1 })
 * assert.deepEqual(queue.orders[0]?.command, ['echo', '1'])
 * ```
 */
export interface TaskQueue {
  /** Takes all of these tasks, or none and rejects. Each `after` is among them, or was taken before. */
  submit(orders: readonly TaskOrder[]): Promise<void>
  /** Undefined for a task that it does not know. */
  status(taskId: string): Promise<TaskStatus | undefined>
  /** Resolves when the task is over, however it ended; undefined for one that it does not know. */
  result(taskId: string): Promise<TaskResult | undefined>
  /** Ends a task whether or not it has begun; false if it is over already, or not known. */
  cancel(taskId: string): Promise<boolean>
  /** Cancels what is not over, and resolves when nothing runs any more. Takes no tasks after that. */
  close(): Promise<void>
}
