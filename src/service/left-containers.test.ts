import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { someEnd, someStart } from '../../test/contracts/attempts.ts'
import { someWorkflow, WorkflowInLedger } from '../../test/contracts/workflows.ts'
import type { OutcomeStatus } from '../model/outcome.ts'
import type { RunNotice } from '../model/run-notice.ts'
import { openSqliteLedger } from '../store/ledger/open.ts'
import { fakeSystem } from '../system/fake.ts'
import { seeToContainers } from './left-containers.ts'

const owner = { host: 'node01', bootId: 'b0', pid: 4242, startTicks: 99 }

it('tells of containers that scripts may have left until their jobs have run again', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-left-'))
  const ledger = openSqliteLedger(join(directory, 'ledger.db'))
  const workflow = new WorkflowInLedger(ledger, someWorkflow(['a', 'b']))
  const ran = (name: string, runId: number, status: OutcomeStatus): void => {
    const place = { jobId: workflow.jobId(name), workflowId: workflow.id, runId, attempt: runId }
    const command = ['sh', '-c', 'docker run --rm image; true']
    const start = someStart(`${name}-${runId}`, { owner, job: { name, command } })
    const outcome = { status, exitCode: 1, signal: null, reason: null, stragglers: [] }
    ledger.jobs.finish(ledger.workflows.beginAttempt(place, start), someEnd({ outcome }))
  }
  const told = async (): Promise<readonly RunNotice[]> => {
    const notices: RunNotice[] = []
    const stored = ledger.workflows.findWorkflow(workflow.id)
    if (stored === undefined) throw new Error('the workflow is gone')
    await seeToContainers(fakeSystem({}), ledger, stored, owner, (one) => notices.push(one))
    return notices
  }
  ran('a', 1, 'interrupted')
  ran('b', 1, 'interrupted')
  const starts = (name: string): string =>
    `it seems that a script of job ${name} starts "docker run"`
  expect(await told()).toEqual([{ kind: 'containers unknown', why: [starts('a'), starts('b')] }])
  ran('a', 2, 'failed')
  ran('b', 2, 'interrupted')
  expect(await told()).toEqual([{ kind: 'containers unknown', why: [starts('b')] }])
  ran('b', 3, 'success')
  expect(await told()).toEqual([])
  ledger.close()
  rmSync(directory, { recursive: true })
})
