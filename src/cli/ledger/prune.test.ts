import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../../../test/contracts/attempts.ts'
import { someRun, someWorkflow, WorkflowInLedger } from '../../../test/contracts/workflows.ts'
import { LedgerFolder } from '../../../test/ledger-folder.ts'
import { ourselves } from '../../record/owner.ts'
import { realSystem } from '../../system/real.ts'
import { execute } from './prune.ts'
import { LifeSign } from '../../store/spool/life-sign.ts'

const folder = new LedgerFolder()
const ask = (...argv: string[]) => folder.ask(execute, ['--older-than', '30d', ...argv])
const now = Date.now() / 1000
const long = now - 100 * 86_400

function putCommand(taskId: string, startedAt: number): void {
  const ref = folder.ledger.jobs.begin(someStart(taskId, { startedAt }))
  folder.ledger.jobs.writer(ref).add(someSamples(4), 4)
  folder.ledger.jobs.finish(ref, someEnd({ endedAt: startedAt + 1 }))
}

/** A workflow of two jobs, one of which ran, with three samples. */
function putWorkflow(createdAt: number, ranAt: number): WorkflowInLedger {
  const { ledger } = folder
  const workflow = new WorkflowInLedger(ledger, { ...someWorkflow(['a', 'b']), createdAt })
  const runId = ledger.workflows.beginRun(workflow.id, { ...someRun, startedAt: ranAt })
  const place = { jobId: workflow.jobId('a'), workflowId: workflow.id, runId, attempt: 1 }
  const start = someStart(`${workflow.id}-a`, { startedAt: ranAt })
  const ref = ledger.workflows.beginAttempt(place, start)
  ledger.jobs.writer(ref).add(someSamples(3), 3)
  ledger.jobs.finish(ref, someEnd({ endedAt: ranAt + 1 }))
  ledger.workflows.endRun(workflow.id, runId, ranAt + 2)
  return workflow
}

const left = (): number[] => folder.ledger.workflows.listWorkflows().map((one) => one.workflowId)

describe('jobmeter prune', () => {
  it('says what would go and leaves it, then deletes just that', async () => {
    putCommand('old', long)
    putCommand('young', now)
    const doomed = putWorkflow(long, long)
    const active = putWorkflow(long, now)
    const dry = await ask('--dry-run')
    expect(dry.text.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
      expect.stringMatching(/^Would delete 1 jobs and 4 samples, and 1 workflow, about .* KB:$/),
      '',
      'ID | Name | Last Active | Jobs | Attempts | Samples | Size',
      expect.stringMatching(
        /^ ?1 \| pipeline \| \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d \| 2 \| 1 \| 3 \| .* KB$/,
      ),
      '',
      'Their output directories stay: /home/ada/out',
      '',
    ])
    expect(left()).toEqual([active.id, doomed.id])
    const planned = JSON.parse((await ask('--dry-run', '--format', 'json')).text) as object
    const done = JSON.parse((await ask('--format', 'json')).text) as object
    expect(done).toEqual({ ...planned, dry_run: false })
    expect(done).toMatchObject({
      attempts: 2,
      samples: 7,
      workflows: [{ workflow_id: doomed.id, name: 'pipeline', jobs: 2, attempts: 1, samples: 3 }],
      kept_directories: ['/home/ada/out'],
    })
    expect(left()).toEqual([active.id])
    const kept = folder.ledger.jobs.find({}).map(({ taskId }) => taskId)
    expect(kept).toEqual([`${active.id}-a`, 'young'])
    expect((await ask()).text).toBe('Deleted 0 jobs and 0 samples.\n')
  })

  it('leaves alone what runs, and what somebody has just begun to run', async () => {
    const { ledger } = folder
    const leased = putWorkflow(long, long)
    expect(ledger.workflows.lease(leased.id, ourselves(realSystem({ ownsProcess: false })))).toBe(
      null,
    )
    const running = putWorkflow(long, long)
    // On another machine, which gives a sign of life now and then.
    const sign = LifeSign.make(ledger.path, 'far', () => 'unavailable')
    const life = { name: 'far', isLocked: false }
    const other = { host: 'far away', bootId: 'b', pid: 1, startTicks: 1, sign: life }
    const place = { workflowId: running.id, runId: 1, attempt: 1 }
    const start = someStart('runs', { startedAt: long, owner: other })
    ledger.workflows.beginAttempt({ ...place, jobId: running.jobId('b') }, start)
    const elsewhere = putWorkflow(long, long)
    ledger.workflows.lease(elsewhere.id, other)
    const abandoned = putWorkflow(long, long)
    const dead = { ...ourselves(realSystem({ ownsProcess: false })), startTicks: 1 }
    ledger.workflows.lease(abandoned.id, dead)
    await ask()
    expect(left()).toEqual([elsewhere.id, running.id, leased.id])
    sign.remove()
  })

  it('gives the space back, about as much as it said', async () => {
    const { ledger } = folder
    for (let made = 0; made < 20; made++) {
      const workflow = putWorkflow(long, long)
      const ref = ledger.workflows.beginAttempt(
        { jobId: workflow.jobId('b'), workflowId: workflow.id, runId: 1, attempt: 1 },
        someStart(`${workflow.id}-b`, { startedAt: long }),
      )
      ledger.jobs.writer(ref).add(someSamples(2_000), 2_000)
      ledger.jobs.finish(ref, someEnd({ endedAt: long }))
    }
    const { bytes } = JSON.parse((await ask('--dry-run', '--format', 'json')).text) as {
      bytes: number
    }
    const size = (): number => statSync(folder.db).size
    const before = size()
    await ask()
    const freed = before - size()
    expect(bytes / freed).toBeGreaterThan(0.7)
    expect(bytes / freed).toBeLessThan(1.4)
  })

  it('killed at any moment leaves each workflow whole or gone', async () => {
    const { ledger } = folder
    for (let made = 0; made < 60; made++) putWorkflow(long, long)
    const script = fileURLToPath(new URL('../../../test/contracts/pruner.ts', import.meta.url))
    let killed = 0
    for (let round = 0; round < 10; round++) {
      const child = spawn(process.execPath, [script, folder.db, String(now - 86_400)])
      // It says when it begins; the kill comes some time into the work.
      child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), 3 * round))
      const signal = await new Promise((resolve) => child.on('close', (_, how) => resolve(how)))
      if (signal === 'SIGKILL') killed += 1
      for (const workflowId of left()) {
        expect(ledger.workflows.findWorkflow(workflowId)?.jobs).toHaveLength(2)
        expect(ledger.workflows.results(workflowId, { allRuns: true })).toHaveLength(1)
        expect(ledger.workflows.runs(workflowId)).toHaveLength(1)
      }
    }
    expect(killed).toBeGreaterThan(2)
    expect(left().length).toBeGreaterThan(0)
    await ask()
    expect(left()).toEqual([])
    const database = new DatabaseSync(folder.db)
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
    expect(database.prepare('SELECT count(*) AS n FROM sample').get()).toEqual({ n: 0 })
    database.close()
  })
})
