import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someRun, someWorkflow, WorkflowInLedger } from '../../../../test/contracts/workflows.ts'
import { JobsInPlace } from '../../spool/jobs-in-place.ts'
import { killedReason } from '../interrupted.ts'
import type { Ledger } from '../ledger.ts'
import { openSqliteLedger } from '../open.ts'
import type { ResultQuery, WorkflowStore } from '../workflow-store.ts'
import { WorkflowsInPlace } from './workflows-in-place.ts'

let folder: string
let ledgers: Ledger[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-in-place-'))
  ledgers = []
})
afterEach(() => {
  for (const ledger of ledgers) ledger.close()
  rmSync(folder, { recursive: true })
})

const dead = { host: 'node01', bootId: 'b0', pid: 7, startTicks: 7 }
const owners = { isDead: ({ pid }: { pid: number }) => pid === dead.pid, isHeld: () => false }

/** What the dead runner has noted of one of its attempts. */
const lastSeen = {
  elapsedSeconds: 5,
  cpuUserSeconds: 3,
  cpuSystemSeconds: 1,
  memoryPeakBytes: 4096,
  samples: 6,
}

/** Of two workflows, the first was run again where it had failed, and its runner has died since. */
function leftRunning(name: string): { ledger: Ledger; taskIds: readonly string[] } {
  const ledger = openSqliteLedger(join(folder, name))
  ledgers.push(ledger)
  const first = new WorkflowInLedger(ledger, someWorkflow(['a', 'b', 'c', 'gone', 'last']))
  ledger.workflows.beginRun(first.id, someRun)
  first.end(first.begin('a', 1, 1))
  first.end(first.begin('b', 1, 1), 'failed')
  ledger.workflows.beginRun(first.id, someRun)
  const left = [
    first.begin('b', 2, 2, dead),
    first.begin('c', 2, 1, dead),
    first.begin('gone', 2, 1, dead),
  ]
  ledger.workflows.mendWorkflow(first.id, {
    ...someWorkflow(['a', 'b', 'c', 'last']),
    states: ['success', 'running', 'running', 'waiting'],
  })
  const second = new WorkflowInLedger(ledger, someWorkflow(['a', 'b']))
  ledger.workflows.beginRun(second.id, someRun)
  second.begin('a', 1, 1)
  return { ledger, taskIds: left.map(({ taskId }) => taskId) }
}

function bothWays(): { inPlace: WorkflowStore; marked: WorkflowStore } {
  const { ledger, taskIds } = leftRunning('ledger.db')
  const seen = { of: (taskId: string) => (taskId === taskIds[0] ? lastSeen : undefined) }
  const jobs = new JobsInPlace(ledger.jobs, [], owners, seen)
  const inPlace = new WorkflowsInPlace(ledger.workflows, () => jobs.interruptedInWorkflows())
  const { ledger: marked } = leftRunning('marked.db')
  for (const taskId of taskIds) marked.jobs.interrupt(taskId, killedReason, seen.of(taskId))
  return { inPlace, marked: marked.workflows }
}

describe('workflows that are read in place', () => {
  it('stand as they would if the end of their attempts could be written', () => {
    const { inPlace, marked } = bothWays()
    expect(inPlace.findWorkflowRow(1)?.states).toMatchObject({ running: 0, interrupted: 2 })
    expect(inPlace.findWorkflowRow(2)?.states).toMatchObject({ running: 1, interrupted: 0 })
    const told = (store: WorkflowStore) => ({
      listed: store.listWorkflows(),
      rows: [1, 2, 3].map((id) => store.findWorkflowRow(id)),
      whole: [1, 2, 3].map((id) => store.findWorkflow(id)),
      places: [{}, { workflowId: 1 }, { name: 'b' }, { jobId: 3 }].map((one) =>
        store.findJobs(one),
      ),
      earlier: store.countEarlier(1, {}),
    })
    expect(told(inPlace)).toEqual(told(marked))
  })

  it.each<ResultQuery>([
    {},
    { allRuns: true },
    { runId: 2 },
    { jobId: 2, allRuns: true },
    { status: ['running'] },
    { status: ['interrupted'] },
    { status: ['waiting', 'success'] },
    { status: ['failed', 'interrupted'], allRuns: true },
  ])('have the same results: %j', (query) => {
    const { inPlace, marked } = bothWays()
    const told = (store: WorkflowStore) =>
      [1, 2].map((id) => ({
        results: store.results(id, query),
        brief: store.briefResults(
          id,
          query,
          ['cpuTotalSeconds'],
          ({ jobId, runId, attempt, record }) => {
            const { taskId, status, reason, durationSeconds, usage } = record
            const cpuSeconds = usage.cpuTotalSeconds.value
            return { jobId, runId, attempt, taskId, status, reason, durationSeconds, cpuSeconds }
          },
        ),
        utilization: store.utilizationRows(id, query),
      }))
    expect(told(inPlace)).toEqual(told(marked))
  })
})
