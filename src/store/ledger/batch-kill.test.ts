import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someWorkflow } from '../../../test/contracts/workflows.ts'
import { openSqliteLedger } from './open.ts'
import { generator } from '../../../test/synthetic/series.ts'

const script = fileURLToPath(new URL('../../../test/contracts/batch-writer.ts', import.meta.url))
const perBatch = 5
const kills = 20
const mostBatches = 200
const random = generator(2)

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
  path = join(directory, 'ledger.db')
})
afterEach(() => rmSync(directory, { recursive: true }))

/** Has a process work on the workflow, kills it in the middle, and answers the batches it told of. */
function workUntilKilled(workflowId: number): Promise<{ told: string[]; killed: boolean }> {
  const child = spawn(process.execPath, [script, path, `${workflowId}`, `${mostBatches}`])
  const after = Math.floor(random() * 6)
  let output = ''
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString()
    if (output.split('\n').length > after) child.kill('SIGKILL')
  })
  return new Promise((resolve) => {
    child.on('close', (_, signal) =>
      resolve({ told: output.split('\n').slice(0, -1), killed: signal === 'SIGKILL' }),
    )
  })
}

describe('kill -9 in the middle of batches', () => {
  it('leaves each batch whole or not there at all', { timeout: 300_000 }, async () => {
    const names = Array.from(
      { length: kills * mostBatches * perBatch },
      (_, index) => `job-${index}`,
    )
    const ledger = openSqliteLedger(path)
    const workflowId = ledger.workflows.createWorkflow(someWorkflow(names))
    let killed = 0
    const told = new Set<string>()
    for (let round = 0; round < kills; round++) {
      const work = await workUntilKilled(workflowId)
      if (work.killed) killed += 1
      for (const name of work.told.flatMap((line) => line.split(' '))) told.add(name)
    }
    expect(killed).toBe(kills)
    const jobs = ledger.workflows.findJobs({ workflowId })
    const done = new Set(jobs.filter(({ state }) => state === 'success').map((job) => job.name))
    // What was told is there; nothing is half there; nothing was done twice.
    for (const name of told) expect(done.has(name), name).toBe(true)
    expect(done.size % perBatch).toBe(0)
    expect(done.size).toBeGreaterThan(kills)
    expect(jobs.filter(({ state }) => state !== 'success' && state !== 'waiting')).toEqual([])
    const results = ledger.workflows.results(workflowId, { allRuns: true })
    expect(results).toHaveLength(done.size)
    expect(new Set(results.map(({ jobId }) => jobId)).size).toBe(done.size)
    expect(ledger.jobs.running()).toEqual([])
    ledger.close()
  })
})
