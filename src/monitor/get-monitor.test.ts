import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { getMonitor } from './get-monitor.ts'
import { TaskPipeline } from './pipeline/task-pipeline.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-shared-'))
  process.env['JOBMETER_DB'] = join(directory, 'ledger.db')
})
afterEach(() => {
  delete process.env['JOBMETER_DB']
  rmSync(directory, { recursive: true, force: true })
})

it('takes options from the first who asks for it, though a pipeline has run tasks before', async () => {
  await using pipeline = new TaskPipeline({ tools: { true: ['true'] } })
  const early = await pipeline.submitTask('true')
  expect(await pipeline.waitForTask(early)).toMatchObject({ status: 'success' })
  const logDir = join(directory, 'logs')
  const monitor = getMonitor({ logDir })
  expect(getMonitor()).toBe(monitor)
  expect(() => getMonitor({ logDir })).toThrow(/exists already/)
  // From now on its tasks are jobs of that monitor.
  const late = await pipeline.submitTask('true')
  await pipeline.waitForTask(late)
  expect((await monitor.getJobHistory()).map(({ task_id: id }) => id)).toEqual([late])
  const [line = ''] = readFileSync(join(logDir, 'jobs_history.jsonl'), 'utf8').split('\n')
  expect(JSON.parse(line)).toMatchObject({ task_id: late })
})
