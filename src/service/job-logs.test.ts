import { mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../test/contracts/attempts.ts'
import { someRun, someWorkflow, WorkflowInLedger } from '../../test/contracts/workflows.ts'
import { LedgerFolder } from '../../test/ledger-folder.ts'
import { stdioPath } from '../model/stdio-path.ts'
import { readerOf } from '../store/ledger/ledger-reader.ts'
import { realSystem } from '../system/real.ts'
import { logOfTask } from './job-logs.ts'

const at = new LedgerFolder()
const system = realSystem({ ownsProcess: false })

/** The task id of an attempt, and where its standard output is to be. */
function begun(): { taskId: string; log: string } {
  const outputDirectory = join(at.directory, 'out')
  const workflow = new WorkflowInLedger(at.ledger, someWorkflow(['a']))
  const runId = at.ledger.workflows.beginRun(workflow.id, { ...someRun, outputDirectory })
  const { taskId, jobId } = workflow.begin('a', runId, 1)
  const place = { workflowId: workflow.id, jobId, runId, attempt: 1 }
  return { taskId, log: stdioPath(outputDirectory, place, 'o') }
}

const found = (taskId: string, stream: 'stdout' | 'stderr' = 'stdout') =>
  logOfTask(system, readerOf(at.ledger), taskId, stream)

describe('the log of an attempt', () => {
  it('is found by its task id', async () => {
    const { taskId, log } = begun()
    mkdirSync(dirname(log), { recursive: true })
    writeFileSync(log, 'hello, world')
    // Another that only speaks of it.
    at.ledger.jobs.begin(someStart('other', { startedAt: 2e9, job: { command: ['show', taskId] } }))
    expect(await found(taskId)).toBe(log)
    expect(await found(taskId, 'stderr')).toBe(`${log.slice(0, -1)}e`)
  })

  it('is none for a single command, and an error where its folder is gone', async () => {
    at.ledger.jobs.finish(at.ledger.jobs.begin(someStart('single')), someEnd())
    expect(await found('single')).toBeNull()
    await expect(found('none')).rejects.toThrow('no job has the task id')
    await expect(found(begun().taskId)).rejects.toThrow('does not exist')
  })

  it('leads nowhere else', async () => {
    const { taskId, log } = begun()
    mkdirSync(dirname(log), { recursive: true })
    mkdirSync(log)
    await expect(found(taskId)).rejects.toThrow('is not a regular file')
    rmdirSync(log)
    symlinkSync('/dev/zero', log)
    await expect(found(taskId)).rejects.toThrow('is not a regular file')
  })
})
