import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { executorContract } from '../../../../test/contracts/executor.ts'
import { localExecutors } from '../../../../test/contracts/local-executors.ts'
import { shellOrder } from '../../../../test/contracts/orders.ts'
import { ProcessSite } from '../../../../test/contracts/process-site.ts'
import { until } from '../../../../test/workflow/flow.ts'
import { realSystem } from '../../../system/real.ts'
import type { AttemptResult, ExecutorListener } from '../../run/executor.ts'
import { RemoteExecutor } from './remote-executor.ts'

const directory = mkdtempSync(join(tmpdir(), 'jobmeter-remote-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const patience = { afterSeconds: 0.5, giveUpSeconds: 60 }
const remote = (site: ProcessSite) =>
  new RemoteExecutor(realSystem({ ownsProcess: false }), {
    name: 'process',
    site,
    directory: () => directory,
    metrics: () => [],
    patience,
  })

executorContract('remote, through folders,', () => {
  const site = new ProcessSite()
  return { first: remote(site), second: remote(site), owner: localExecutors().owner }
})

class Told implements ExecutorListener {
  readonly ends: AttemptResult[] = []
  readonly gones: string[] = []
  rows = 0
  starts = 0
  accepted(): void {}
  started(): void {
    this.starts += 1
  }
  sampled(_: string, __: Float64Array, count: number): void {
    this.rows += count
  }
  devicesSampled(): void {}
  ended(_: string, result: AttemptResult): void {
    this.ends.push(result)
  }
  gone(_: string, why: string): void {
    this.gones.push(why)
  }
  unknown(): void {}
  note(): void {}
  trouble(): void {}
}

describe('an attempt that runs elsewhere', () => {
  it('tells its samples, where it ran and when it ended, and its folder goes', async () => {
    const executor = remote(new ProcessSite())
    const told = new Told()
    executor.tellTo(told)
    const taskId = 'a'.repeat(32)
    executor.start(shellOrder(taskId, 'sleep 0.7', { intervalSeconds: 0.1 }))
    await until(() => told.ends.length > 0)
    const [end] = told.ends
    expect(told.starts).toBe(1)
    expect(told.rows).toBe(end?.samples.collected)
    expect(told.rows).toBeGreaterThan(1)
    expect(end?.machine).toMatchObject({ cores: expect.any(Number) as number })
    expect(Math.abs((end?.endedAt ?? 0) - Date.now() / 1000)).toBeLessThan(60)
    expect(readdirSync(directory)).toContain(taskId)
    executor.tidy()
    expect(readdirSync(directory)).not.toContain(taskId)
    executor.close()
  })

  it('is gone where the one that looked after it was killed', async () => {
    const site = new ProcessSite()
    const executor = remote(site)
    const told = new Told()
    executor.tellTo(told)
    const taskId = 'b'.repeat(32)
    executor.start(shellOrder(taskId, 'sleep 100'))
    await until(() => told.starts > 0)
    process.kill(site.pidOf(taskId), 'SIGKILL')
    await until(() => told.gones.length > 0)
    expect(told.gones).toEqual(['its process is gone'])
    executor.close()
  })
})
