import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GatheredReport } from '../../src/analysis/workflow/gathered-report.ts'
import { gatherWorkflow } from '../../src/service/gather-report.ts'
import { openSqliteLedger } from '../../src/store/ledger/open.ts'
import { readerOf, type LedgerReader } from '../../src/store/ledger/ledger-reader.ts'
import { openTeamReader } from '../../src/store/postgres/read/team-reader.ts'
import { makeSeriesFile } from '../../src/store/series/series-file.ts'
import { realSystem } from '../../src/system/real.ts'
import { someSamples } from '../contracts/attempts.ts'
import { someRun, someWorkflow, WorkflowInLedger } from '../contracts/workflows.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { teamOf } from './recorded-team.ts'

const system = realSystem({ ownsProcess: false })
const samples = 3000

/** One thread that fills a core, by a counter that lags behind the clock by up to a tick. */
function fullCore(): Float64Array {
  const seconds = Array.from({ length: samples }, (_, row) => row * 0.1)
  return someSamples(samples, {
    timestamp: seconds.map((second) => someRun.startedAt + 1 + second),
    elapsed_seconds: seconds,
    cpu_user_seconds: seconds.map((second, row) => Math.max(0, second - ((row * 7) % 10) / 1000)),
    cpu_system_seconds: seconds.map(() => 0),
    num_threads: seconds.map(() => 1),
  })
}

/** A workflow whose job fills a core, with its samples where a run leaves them. */
function record(directory: string): string {
  const path = join(directory, 'ledger.db')
  const ledger = openSqliteLedger(path)
  const workflow = new WorkflowInLedger(ledger, someWorkflow(['train']))
  const run = { ...someRun, outputDirectory: directory }
  const runId = ledger.workflows.beginRun(workflow.id, run)
  const ref = workflow.begin('train', runId, 1)
  const file = makeSeriesFile(directory, {
    ledger: path,
    host: run.host,
    workflowId: workflow.id,
    runId,
  })
  const jobId = workflow.jobId('train')
  file.addAttempt({ taskId: ref.taskId, jobId, attempt: 1, startedAt: run.startedAt + 1 })
  file.writer(jobId, 1).add(fullCore(), samples)
  file.close()
  workflow.end(ref)
  ledger.close()
  return path
}

const gathered = async (reader: LedgerReader): Promise<GatheredReport> => {
  const stored = await reader.workflows.findWorkflow(1)
  if (stored === undefined) throw new Error('no workflow')
  return gatherWorkflow(system, reader, stored)
}

const curvesIn = ({ jobs }: GatheredReport) => jobs[0]?.attempts[0]?.curves

describe.skipIf(whyNoPostgres() !== undefined)('the report of a workflow', () => {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  })
  afterAll(async () => {
    await postgres.stop()
    rmSync(directory, { recursive: true })
  })

  it('draws a full core the same from the samples of a run and from those of a team', async () => {
    const path = record(directory)
    const ledger = openSqliteLedger(path)
    const local = curvesIn(await gathered(readerOf(ledger)))
    ledger.close()
    const team = await openTeamReader(await teamOf(postgres, 'curves', [path]))
    const sent = curvesIn(await gathered(team))
    await team.close()
    expect(local?.samples).toBe(samples)
    expect(local?.metrics.cpuPercent.peak).toBeCloseTo(100, 9)
    expect(local?.metrics.cpuPercent.mean).toBeCloseTo(100, 1)
    expect(sent).toEqual(local)
  })
})
