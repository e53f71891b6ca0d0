import { whyNot } from '../../model/reading.ts'
import { measureTask } from '../../record/measure.ts'
import { CapturedOutput } from '../../system/captured-output.ts'
import { givenEnvironment } from '../../system/given.ts'
import type { JobBook } from '../job-book.ts'
import { historyEntry } from '../job-json.ts'
import { MonitorError } from '../monitor-error.ts'
import { thisProgram } from '../this-program.ts'
import { LocalTask } from './local-task.ts'
import type { TaskOrder, TaskQueue, TaskResult, TaskStatus } from './task-queue.ts'

export interface LocalQueueOptions {
  /** How many tasks run at once. */
  readonly parallel: number
  readonly intervalSeconds: number
  readonly outputDir: string | undefined
}

const mostOutputBytes = 65_536
/** That somebody has fetched: a program that runs for months must not keep all. Their records are in the ledger. */
const mostFetched = 10_000

/** Runs tasks on this machine, in the order in which they came, as many at once as may be. */
export class LocalQueue implements TaskQueue {
  readonly #bookNow: () => JobBook
  readonly #options: LocalQueueOptions
  readonly #tasks = new Map<string, LocalTask>()
  /** Those that wait for nothing but their turn. */
  readonly #ready: LocalTask[] = []
  readonly #running = new Set<LocalTask>()
  readonly #followers = new Map<string, LocalTask[]>()
  /** The tasks whose results somebody has, those of old first. */
  readonly #fetched = new Set<string>()
  #isClosed = false

  /** `bookNow`: where a task is told that begins now. */
  constructor(bookNow: () => JobBook, options: LocalQueueOptions) {
    this.#bookNow = bookNow
    this.#options = options
  }

  async submit(orders: readonly TaskOrder[]): Promise<void> {
    if (this.#isClosed)
      throw new MonitorError('closed', 'the pipeline was closed. Make another TaskPipeline')
    for (const order of orders) {
      const task = new LocalTask(order)
      this.#tasks.set(order.taskId, task)
      this.#queue(task)
    }
    this.#startReady()
  }

  async status(taskId: string): Promise<TaskStatus | undefined> {
    return this.#tasks.get(taskId)?.status
  }

  async result(taskId: string): Promise<TaskResult | undefined> {
    const result = await this.#tasks.get(taskId)?.result
    if (result !== undefined) this.#noteFetched(taskId)
    return result
  }

  async cancel(taskId: string): Promise<boolean> {
    const task = this.#tasks.get(taskId)
    if (task === undefined || task.isOver) return false
    this.#cancel(task, 'cancelled before it began')
    return true
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const task of this.#tasks.values())
      if (!task.isOver) this.#cancel(task, 'the pipeline was closed before it began')
    await Promise.all(Array.from(this.#running, ({ result }) => result))
  }

  #queue(task: LocalTask): void {
    const { after } = task.order
    const before = after === null ? undefined : this.#tasks.get(after)
    if (after === null || before?.status === 'success') this.#ready.push(task)
    else if (before !== undefined && !before.isOver) this.#followersOf(after).push(task)
    else {
      task.endUnbegun('cancelled', whySkipped(task, before))
      this.#settle(task)
    }
  }

  #followersOf(taskId: string): LocalTask[] {
    const followers = this.#followers.get(taskId) ?? []
    this.#followers.set(taskId, followers)
    return followers
  }

  #startReady(): void {
    while (this.#running.size < this.#options.parallel) {
      const task = this.#ready.shift()
      if (task === undefined) return
      if (!task.isOver) void this.#run(task)
    }
  }

  /** Never rejects: whatever goes wrong is the result of the task. */
  async #run(task: LocalTask): Promise<void> {
    const signal = task.begin()
    const book = this.#bookNow()
    this.#running.add(task)
    const sharedTime = thisProgram().shareTime()
    try {
      task.end(await this.#measure(task.order, book, signal))
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      book.complain(`Job ${task.order.taskId} was not run: ${why}`)
      task.endUnbegun('error', why)
    }
    sharedTime.end()
    this.#running.delete(task)
    this.#settle(task)
    this.#startReady()
  }

  async #measure(order: TaskOrder, book: JobBook, signal: AbortSignal): Promise<TaskResult> {
    using stdout = this.#capture(order.taskId, 'out')
    using stderr = this.#capture(order.taskId, 'err')
    const { tool, script, params, timeoutSeconds, memoryLimitBytes, workingDirectory } = order
    const problems: string[] = []
    book.started(order.taskId, { tool, script, params })
    const record = await measureTask(order.taskId, order.command, {
      ledger: book.ledger,
      tool,
      ...(script === null ? {} : { script }),
      name: script ?? tool,
      params,
      tags: book.folderTags,
      workingDirectory,
      environment: { ...givenEnvironment(), ...order.environment },
      stdin: '/dev/null',
      stdout: stdout.path,
      stderr: stderr.path,
      intervalSeconds: this.#options.intervalSeconds,
      ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
      ...(memoryLimitBytes === null ? {} : { memoryLimitBytes }),
      signal,
      onProblem: (problem) => problems.push(problem),
    })
    const job = await book.ended(record, problems)
    return {
      ...historyEntry(job),
      stdout: stdout.tail(mostOutputBytes),
      stderr: stderr.tail(mostOutputBytes),
    }
  }

  #capture(taskId: string, ending: 'out' | 'err'): CapturedOutput {
    const { outputDir } = this.#options
    if (outputDir === undefined) return new CapturedOutput()
    const made = thisProgram().system.files.makeDirectories(outputDir)
    if (made.kind !== 'ok') throw new Error(whyNot(made))
    return new CapturedOutput(`${outputDir}/${taskId}.${ending}`)
  }

  #cancel(task: LocalTask, why: string): void {
    task.cancel()
    if (task.status === 'running') return
    task.endUnbegun('cancelled', why)
    this.#settle(task)
  }

  #noteFetched(taskId: string): void {
    this.#fetched.add(taskId)
    if (this.#fetched.size <= mostFetched) return
    const [oldest = ''] = this.#fetched
    this.#fetched.delete(oldest)
    this.#tasks.delete(oldest)
  }

  /** Has those go on that waited for it. */
  #settle(task: LocalTask): void {
    const over = [task]
    // Not by recursion: thousands may wait for each other.
    for (const before of over) {
      const { taskId } = before.order
      for (const follower of this.#followersOf(taskId)) {
        if (follower.isOver) continue
        if (before.status === 'success') this.#ready.push(follower)
        else {
          follower.endUnbegun('cancelled', whySkipped(follower, before))
          over.push(follower)
        }
      }
      this.#followers.delete(taskId)
    }
  }
}

function whySkipped({ order }: LocalTask, before: LocalTask | undefined): string {
  const how = before === undefined ? 'is not known' : `ended with the status ${before.status}`
  return `not run, because task ${order.after} before it ${how}`
}
