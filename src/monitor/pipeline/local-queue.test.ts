import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { taskQueueContract } from '../../../test/contracts/task-queue.ts'
import { JobBook } from '../job-book.ts'
import { thisProgram } from '../this-program.ts'
import { LocalQueue } from './local-queue.ts'
import type { TaskOrder } from './task-queue.ts'

const open = (ledger: string, parallel: number, outputDir?: string): LocalQueue => {
  const book = new JobBook(thisProgram().system, { ledger })
  return new LocalQueue(() => book, { parallel, intervalSeconds: 0.5, outputDir })
}

taskQueueContract('the local queue', open)

const orderOf = (index: number, command: readonly string[], after: string | null): TaskOrder => ({
  taskId: index.toString(16).padStart(32, '0'),
  tool: 'sh',
  script: null,
  params: {},
  command,
  workingDirectory: '/',
  environment: {},
  timeoutSeconds: null,
  memoryLimitBytes: null,
  after,
})

it('passes over thousands of tasks that wait for one that fails', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-queue-'))
  const queue = open(join(directory, 'ledger.db'), 1)
  const orders = [orderOf(0, ['false'], null)]
  for (let index = 1; index < 9000; index++)
    orders.push(orderOf(index, ['true'], orders[index - 1]?.taskId ?? null))
  await queue.submit(orders)
  const last = await queue.result(orders.at(-1)?.taskId ?? '')
  expect(last).toMatchObject({ status: 'cancelled' })
  await queue.close()
  rmSync(directory, { recursive: true })
})

it('keeps every result until it was fetched, and then the latest', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-queue-'))
  const queue = open(join(directory, 'ledger.db'), 1)
  const orders = [orderOf(0, ['false'], null)]
  for (let index = 1; index <= 12_000; index++)
    orders.push(orderOf(index, ['true'], '0'.repeat(32)))
  await queue.submit(orders)
  const statuses: (string | undefined)[] = []
  for (const { taskId } of orders.toReversed()) statuses.push((await queue.result(taskId))?.status)
  expect(new Set(statuses.slice(0, -1))).toEqual(new Set(['cancelled']))
  expect(statuses.at(-1)).toBe('failed')
  // Those that were fetched first are forgotten first.
  expect(await queue.result(orders.at(-1)?.taskId ?? '')).toBeUndefined()
  expect(await queue.result(orders[0]?.taskId ?? '')).toMatchObject({ status: 'failed' })
  expect(await queue.result(orders[9999]?.taskId ?? '')).toMatchObject({ status: 'cancelled' })
  expect(await queue.result(orders[10_000]?.taskId ?? '')).toBeUndefined()
  await queue.close()
  rmSync(directory, { recursive: true })
})

it('keeps all output where it is told to, and the end of it in the result', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-queue-'))
  const outputDir = join(directory, 'output')
  const queue = open(join(directory, 'ledger.db'), 1, outputDir)
  const script = "head -c 100000 /dev/zero | tr '\\0' x; printf é; seq 1 20000 >&2"
  const order = orderOf(1, ['sh', '-c', script], null)
  await queue.submit([order])
  const { stdout = '', stderr = '' } = (await queue.result(order.taskId)) ?? {}
  expect(stdout).toBe(`${'x'.repeat(65_534)}é`)
  expect(stderr.endsWith('19999\n20000\n')).toBe(true)
  expect(readdirSync(outputDir).toSorted()).toEqual([`${order.taskId}.err`, `${order.taskId}.out`])
  const kept = join(outputDir, `${order.taskId}.out`)
  expect(readFileSync(kept, 'utf8')).toBe(`${'x'.repeat(100_000)}é`)
  expect(statSync(kept).mode & 0o777).toBe(0o600)
  await queue.close()
  rmSync(directory, { recursive: true })
})
