import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { someEnd, someStart } from '../../test/contracts/attempts.ts'
import { someWorkflow, WorkflowInLedger } from '../../test/contracts/workflows.ts'
import type { Job } from '../model/job.ts'
import type { Outcome, OutcomeStatus } from '../model/outcome.ts'
import type { RunNotice } from '../model/run-notice.ts'
import { openSqliteLedger } from '../store/ledger/open.ts'
import type { StoredWorkflow } from '../store/ledger/workflow-store.ts'
import { fakeSystem } from '../system/fake.ts'
import { refuseUnended, seeToContainers, type SeenTo } from './left-containers.ts'

const owner = { host: 'node01', bootId: 'b0', pid: 4242, startTicks: 99 }

interface Told {
  readonly seen: SeenTo
  readonly notices: readonly RunNotice[]
}

/** A ledger with one workflow, of which attempts are written down as they ended. */
function ledgerOf(names: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-left-'))
  const ledger = openSqliteLedger(join(directory, 'ledger.db'))
  const workflow = new WorkflowInLedger(ledger, someWorkflow(names))
  const stored = (): StoredWorkflow => {
    const found = ledger.workflows.findWorkflow(workflow.id)
    if (found === undefined) throw new Error('the workflow is gone')
    return found
  }
  return {
    ran(name: string, runId: number, outcome: Partial<Outcome>, differences: Partial<Job> = {}) {
      const place = { jobId: workflow.jobId(name), workflowId: workflow.id, runId, attempt: runId }
      const start = someStart(`${name}-${runId}`, { owner, job: { name, ...differences } })
      const common = { exitCode: 1, signal: null, reason: null, stragglers: [] }
      const end = someEnd({ outcome: { status: 'failed', ...common, ...outcome } })
      ledger.jobs.finish(ledger.workflows.beginAttempt(place, start), end)
    },
    stored,
    async told(us = owner): Promise<Told> {
      const notices: RunNotice[] = []
      const tell = (one: RunNotice) => void notices.push(one)
      return { seen: await seeToContainers(fakeSystem({}), ledger, stored(), us, tell), notices }
    },
    [Symbol.dispose]: () => {
      ledger.close()
      rmSync(directory, { recursive: true })
    },
  }
}

it('tells of containers that scripts may have left until their jobs have run again', async () => {
  using ledger = ledgerOf(['a', 'b'])
  const command = ['sh', '-c', 'docker run --rm image; true']
  const ran = (name: string, runId: number, status: OutcomeStatus): void =>
    ledger.ran(name, runId, { status }, { command })
  const told = async () => (await ledger.told()).notices
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
})

const command = ['docker', 'run', 'image']
const left = { stragglers: [{ pid: 7, command: 'container db of image' }] }

it('goes on beside no container that a job is known to have left, if its daemon cannot be asked', async () => {
  using ledger = ledgerOf(['a', 'b'])
  ledger.ran('a', 1, {}, { command })
  ledger.ran('a', 2, left, { command })
  const { seen, notices } = await ledger.told()
  expect(seen).toMatchObject({ isUnsure: true, unended: [{ jobName: 'a' }] })
  expect(notices).toMatchObject([{ kind: 'containers unknown' }])
  expect(() => refuseUnended(ledger.stored(), seen.unended)).toThrow(
    'job a left behind: container db of image. Resume it when the daemon answers again',
  )
})

it('goes on beside what a job has left that does not run again', async () => {
  using ledger = ledgerOf(['a'])
  ledger.ran('a', 1, { ...left, status: 'success' }, { command })
  const { unended } = (await ledger.told()).seen
  const stored = ledger.stored()
  const standing = (state: 'success' | 'waiting') => ({
    ...stored,
    jobs: stored.jobs.map((job) => ({ ...job, state })),
  })
  expect(() => refuseUnended(standing('success'), unended)).not.toThrow()
  // Its inputs changed, or its file was mended.
  expect(() => refuseUnended(standing('waiting'), unended)).toThrow('job a left behind')
})

it.each(['node01', 'login'])(
  'knows on %s that what an attempt left had ended when the next one began',
  async (host) => {
    using ledger = ledgerOf(['a'])
    ledger.ran('a', 1, left, { command })
    ledger.ran('a', 2, {}, { command })
    const told = await ledger.told({ ...owner, host })
    expect(told).toEqual({ seen: { isUnsure: false, unended: [] }, notices: [] })
  },
)

it('only tells of what was left on another machine, where nobody can be asked', async () => {
  using ledger = ledgerOf(['a'])
  ledger.ran('a', 1, left, { command })
  const { seen, notices } = await ledger.told({ ...owner, host: 'login' })
  expect(seen).toEqual({ isUnsure: true, unended: [] })
  expect(notices).toEqual([
    {
      kind: 'containers unknown',
      why: ['job a ran on node01 and left behind: container db of image'],
    },
  ])
})
