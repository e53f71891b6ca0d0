import { createInterface } from 'node:readline'
import { JobBook } from '../../src/monitor/job-book.ts'
import { LocalQueue } from '../../src/monitor/pipeline/local-queue.ts'
import type { TaskQueue } from '../../src/monitor/pipeline/task-queue.ts'
import { thisProgram } from '../../src/monitor/this-program.ts'

/** A worker in a process of its own: requests come as lines of JSON, and so go the answers. */
const [ledger = '', parallel = '1'] = process.argv.slice(2)
const book = new JobBook(thisProgram().system, { ledger })
const queue: TaskQueue = new LocalQueue(() => book, {
  parallel: Number(parallel),
  intervalSeconds: 0.5,
  outputDir: undefined,
})

export interface WorkerRequest {
  readonly id: number
  readonly method: keyof TaskQueue
  readonly argument: unknown
}

async function answer({ id, method, argument }: WorkerRequest): Promise<void> {
  try {
    const call = queue[method].bind(queue) as (argument: unknown) => Promise<unknown>
    console.log(JSON.stringify({ id, value: (await call(argument)) ?? null }))
  } catch (error) {
    console.log(JSON.stringify({ id, error: String(error) }))
  }
}

createInterface({ input: process.stdin }).on(
  'line',
  (line) => void answer(JSON.parse(line) as WorkerRequest),
)
