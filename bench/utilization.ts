/**
 * Checks 100,000 stored results against their requests, and prints the time and its ratio to reading
 * the bare rows.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { checkUtilization } from '../src/analysis/workflow/utilization.ts'
import { utilizationText } from '../src/render/reports/utilization/text.ts'
import { plainStyle } from '../src/render/text/style.ts'
import { measured } from '../src/model/measured.ts'
import { usageKeys, type Usage } from '../src/model/usage.ts'
import { openSqliteLedger } from '../src/store/ledger/open.ts'
import { someEnd, someStart } from '../test/contracts/attempts.ts'
import { someJob, someRun, someWorkflow } from '../test/contracts/workflows.ts'

const results = 100_000
const limitSeconds = 1.5
const bases = ['cgroup', 'kernel accounting at exit', 'samples']

/** As long as a real one: every figure, by three ways of measuring. */
const usageOf = (job: number): Usage =>
  Object.fromEntries(
    usageKeys.map((key, index) => [key, measured(job * 0.37 + index, bases[index % 3] ?? '')]),
  ) as Usage

function fill(path: string): number {
  const ledger = openSqliteLedger(path)
  const requirements = { cpus: 366, memoryBytes: 33_000, gpus: null, runtimeSeconds: 3600 }
  const jobs = Array.from({ length: results }, (_, job) => someJob(`job_${job}`, { requirements }))
  const workflowId = ledger.workflows.createWorkflow(someWorkflow(jobs))
  const runId = ledger.workflows.beginRun(workflowId, someRun)
  const stored = ledger.workflows.findWorkflow(workflowId)?.jobs ?? []
  ledger.batch(() => {
    for (const [index, { jobId, job }] of stored.entries()) {
      const start = someStart(`task-${index}`, { job: { name: job.name, requirements } })
      const ref = ledger.workflows.beginAttempt({ jobId, workflowId, runId, attempt: 1 }, start)
      ledger.jobs.finish(ref, someEnd({ usage: usageOf(index) }))
    }
  })
  ledger.close()
  return workflowId
}

function timed<T>(work: () => T): { readonly seconds: number; readonly answer: T } {
  const started = performance.now()
  const answer = work()
  return { seconds: (performance.now() - started) / 1000, answer }
}

const directory = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
try {
  const path = join(directory, 'ledger.db')
  const workflowId = fill(path)
  const bare = timed(() => {
    const database = new DatabaseSync(path)
    let rows = 0
    for (const row of database
      .prepare('SELECT * FROM attempt JOIN attempt_usage ON attempt_id = id')
      .iterate())
      rows += row['id'] === null ? 0 : 1
    database.close()
    return rows
  })
  const check = (all: boolean): string => {
    const ledger = openSqliteLedger(path)
    const rows = ledger.workflows.utilizationRows(workflowId, {})
    ledger.close()
    const report = checkUtilization(rows, { minOverPercent: 1, includeFailed: false })
    return utilizationText({ workflowId, runId: null, ...report }, plainStyle, { all })
  }
  const violations = timed(() => check(false))
  const everything = timed(() => check(true))
  const ratio = (seconds: number): string =>
    `${(seconds / bare.seconds).toFixed(2)} of the bare rows`
  console.log(`results        ${bare.answer}`)
  console.log(`bare rows      ${bare.seconds.toFixed(2)} s`)
  console.log(
    `violations     ${violations.seconds.toFixed(2)} s, ${ratio(violations.seconds)} (limit ${limitSeconds} s)`,
  )
  console.log(`with --all     ${everything.seconds.toFixed(2)} s, ${ratio(everything.seconds)}`)
  if (violations.seconds > limitSeconds) process.exitCode = 1
} finally {
  rmSync(directory, { recursive: true })
}
