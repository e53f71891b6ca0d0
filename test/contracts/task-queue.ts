import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TaskOrder, TaskQueue } from '../../src/monitor/pipeline/task-queue.ts'

/** Opens a queue that keeps its records in a ledger, and runs so many tasks at once. */
export type OpenTaskQueue = (ledger: string, parallel: number) => TaskQueue

/** What a pipeline relies on, whichever queue it has. */
export function taskQueueContract(name: string, open: OpenTaskQueue): void {
  describe(`${name}, as a queue of tasks`, () => {
    let directory: string
    let queue: TaskQueue
    const openWith = (parallel: number): TaskQueue =>
      (queue = open(join(directory, 'ledger.db'), parallel))
    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), 'jobmeter-queue-'))
    })
    afterEach(async () => {
      await queue.close()
      // A worker may still write there, about others.
      rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    })

    const order = (script: string, more: Partial<TaskOrder> = {}): TaskOrder => ({
      taskId: randomBytes(16).toString('hex'),
      tool: 'sh',
      script: 'case.sh',
      params: { mesh_size: 64 },
      command: ['sh', '-c', script],
      workingDirectory: directory,
      environment: { WHO: 'ada' },
      timeoutSeconds: null,
      memoryLimitBytes: null,
      after: null,
      ...more,
    })
    const submit = async (...orders: TaskOrder[]): Promise<string[]> => {
      await queue.submit(orders)
      return orders.map(({ taskId }) => taskId)
    }
    const result = async (taskId = '') => {
      const found = await queue.result(taskId)
      if (found === undefined) throw new Error(`no task ${taskId}`)
      return found
    }

    const begins = async (taskId: string): Promise<void> => {
      while ((await queue.status(taskId)) !== 'running')
        await new Promise((resolve) => setTimeout(resolve, 10))
    }

    it('runs a task with all that it was given, and answers what it used', async () => {
      openWith(1)
      const [id] = await submit(order('pwd; echo $WHO; echo wrong >&2; cat; sleep 0.2; exit 3'))
      expect(await result(id)).toMatchObject({
        task_id: id,
        tool: 'sh',
        script: 'case.sh',
        params: { mesh_size: 64 },
        status: 'failed',
        returncode: 3,
        error: 'exited with code 3',
        has_result: false,
        stdout: `${directory}\nada\n`,
        stderr: 'wrong\n',
        resource_usage: { memory_peak_mb: expect.any(Number) },
        detailed_profile: { io_stats: expect.any(Object) },
      })
      expect(await queue.status(id ?? '')).toBe('failed')
    })

    it('runs as many at once as it may', async () => {
      openWith(2)
      const here = join(directory, 'here')
      writeFileSync(here, '')
      const script = 'echo + >> here; sleep 0.2; echo - >> here'
      const ids = await submit(...Array.from({ length: 5 }, () => order(script)))
      for (const id of ids) expect(await result(id)).toMatchObject({ status: 'success' })
      let running = 0
      let most = 0
      for (const sign of readFileSync(here, 'utf8').trim().split('\n')) {
        running += sign === '+' ? 1 : -1
        most = Math.max(most, running)
      }
      expect(most).toBe(2)
    })

    it('begins a task after the one before it has succeeded, and not otherwise', async () => {
      openWith(4)
      const first = order('sleep 0.1; echo 1 >> list')
      const second = order('echo 2 >> list; exit 1', { after: first.taskId })
      const third = order('echo 3 >> list', { after: second.taskId })
      const fourth = order('echo 4 >> list', { after: third.taskId })
      await submit(first, second, third, fourth)
      const results = await Promise.all(
        [first, second, third, fourth].map(({ taskId }) => result(taskId)),
      )
      expect(results.map(({ status }) => status)).toEqual([
        'success',
        'failed',
        'cancelled',
        'cancelled',
      ])
      expect(results[2]).toMatchObject({
        error: `not run, because task ${second.taskId} before it ended with the status failed`,
        start_time: null,
        resource_usage: { cpu_total_seconds: null },
      })
      expect(readFileSync(join(directory, 'list'), 'utf8')).toBe('1\n2\n')
      const late = order('echo 5 >> list', { after: first.taskId })
      await submit(late)
      expect(await result(late.taskId)).toMatchObject({ status: 'success' })
    })

    it('ends a task that lasts too long', async () => {
      openWith(1)
      const [id] = await submit(order('sleep 60', { timeoutSeconds: 0.2 }))
      expect(await result(id)).toMatchObject({ status: 'timeout', returncode: 124 })
    })

    it('cancels a task that runs, and one that has not begun', async () => {
      openWith(1)
      const [running = '', waiting = ''] = await submit(order('sleep 60'), order('true'))
      await begins(running)
      expect(await queue.status(waiting)).toBe('pending')
      expect(await queue.cancel(waiting)).toBe(true)
      expect(await result(waiting)).toMatchObject({ status: 'cancelled', start_time: null })
      expect(await queue.cancel(running)).toBe(true)
      expect(await result(running)).toMatchObject({ status: 'cancelled' })
      expect(await queue.cancel(running)).toBe(false)
    })

    it('answers a program that is not there with a result', async () => {
      openWith(1)
      const [id] = await submit(order('', { command: ['./no-such-program'] }))
      expect(await result(id)).toMatchObject({ status: 'error', returncode: 127 })
    })

    it('knows nothing of other tasks', async () => {
      openWith(1)
      expect(await queue.status('none')).toBeUndefined()
      expect(await queue.result('none')).toBeUndefined()
      expect(await queue.cancel('none')).toBe(false)
    })

    it('cancels everything when it is closed, and takes nothing after that', async () => {
      openWith(1)
      const [running = '', waiting = ''] = await submit(order('sleep 60'), order('true'))
      await begins(running)
      const results = Promise.all([result(running), result(waiting)])
      await queue.close()
      expect((await results).map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
      await expect(queue.submit([order('true')])).rejects.toThrow('closed')
    })
  })
}
