import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type {
  TaskOrder,
  TaskQueue,
  TaskResult,
  TaskStatus,
} from '../../src/monitor/pipeline/task-queue.ts'
import { taskQueueContract } from './task-queue.ts'
import type { WorkerRequest } from './task-worker.ts'

interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** A queue whose tasks run in another process, which is told of them in JSON: nothing but the port is shared. */
class RemoteTaskQueue implements TaskQueue {
  readonly #worker: ChildProcessWithoutNullStreams
  readonly #asked = new Map<number, (answer: Answer) => void>()
  #isClosed = false

  constructor(ledger: string, parallel: number) {
    const program = join(import.meta.dirname, 'task-worker.ts')
    this.#worker = spawn(process.execPath, [program, ledger, String(parallel)])
    createInterface({ input: this.#worker.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer
      this.#asked.get(answer.id)?.(answer)
      this.#asked.delete(answer.id)
    })
  }

  submit = async (orders: readonly TaskOrder[]): Promise<void> => {
    if (this.#isClosed) throw new Error('the queue was closed')
    await this.#ask('submit', orders)
  }
  status = (taskId: string) => this.#ask<TaskStatus>('status', taskId)
  result = (taskId: string) => this.#ask<TaskResult>('result', taskId)
  cancel = async (taskId: string) => (await this.#ask<boolean>('cancel', taskId)) ?? false
  close = async (): Promise<void> => {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#ask('close', null)
    this.#worker.stdin.end()
  }

  async #ask<T>(method: WorkerRequest['method'], argument: unknown): Promise<T | undefined> {
    const id = this.#asked.size === 0 ? 1 : Math.max(...this.#asked.keys()) + 1
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.#asked.set(id, resolve)
    this.#worker.stdin.write(`${JSON.stringify({ id, method, argument })}\n`)
    const { value, error } = await promise
    if (error !== undefined) throw new Error(error)
    return (value ?? undefined) as T | undefined
  }
}

taskQueueContract('a queue in another process', (ledger, parallel) => {
  return new RemoteTaskQueue(ledger, parallel)
})
