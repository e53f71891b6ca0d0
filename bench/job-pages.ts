/**
 * Asks a ledger of 100,000 jobs for pages of its list, and prints how long each takes (the median of many), and its ratio to
 * the plain SELECT of the same rows by their ids.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { median } from '../src/analysis/statistics/median.ts'
import { listJobs, type JobListQuery } from '../src/service/jobs/list-jobs.ts'
import { readerOf, type LedgerReader } from '../src/store/ledger/ledger-reader.ts'
import { openSqliteLedger } from '../src/store/ledger/open.ts'
import { someEnd, someStart } from '../test/contracts/attempts.ts'
import { fillLedger } from '../test/synthetic/large-ledger.ts'
import { printTable, rounded, verdict } from './verdict.ts'

const limitMilliseconds = 20
/** For what is behind tens of thousands of other jobs, or nowhere. */
const worstMilliseconds = 100
const repeats = 15

const all = { limit: 100, owners: null }
const questions: Readonly<Record<string, JobListQuery>> = {
  'first page': all,
  failed: { ...all, status: 'failed' },
  'of a user with one old job': { ...all, owners: ['eve'] },
  'of a host with one old job': { ...all, host: 'old' },
  'interrupted, of which there are none': { ...all, status: 'interrupted' },
  'single commands, behind all of a workflow': { ...all, origin: 'command' },
  'by name, behind 30,000 others': { ...all, name: 'sweep' },
  'search, many': { ...all, search: 'PART_29' },
  'by name, one': { ...all, name: 'needle' },
  'by tool': { ...all, tool: 'ffmpeg' },
  'by tag, behind 30,000 others': { ...all, tag: 'v1' },
  'by tag, one': { ...all, tag: 'odd' },
  'search, behind 30,000 others': { ...all, search: 'run.py --rate 0.1' },
  'search, one': { ...all, search: 'Needle' },
  'search, none': { ...all, search: 'no such words' },
  'search of one user, who has none of many': { ...all, search: 'python', owners: ['mallory'] },
}

const isWorst = (name: string): boolean => /behind|, one$|none/.test(name)

function fill(path: string): void {
  const { jobs, close } = openSqliteLedger(path)
  const machine = { host: 'old', cores: 8, memoryBytes: null }
  const job = { name: 'needle', tags: ['odd'] }
  const start = someStart('0'.repeat(32), { startedAt: 1_600_000_000, user: 'eve', machine, job })
  jobs.finish(jobs.begin(start), someEnd())
  close()
  fillLedger(path, { commands: 70_000, jobs: 29_999, runs: 1 })
}

async function milliseconds(work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < repeats; run += 1) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return median(times)
}

/** Half-way through the list, as somebody gets there who scrolls. */
async function middleOf(reader: LedgerReader): Promise<JobListQuery> {
  let cursor: string | undefined
  for (let page = 0; page < 100; page += 1) {
    const { nextCursor } = await listJobs(reader, {
      limit: 500,
      owners: null,
      ...(cursor === undefined ? {} : { cursor }),
    })
    cursor = nextCursor ?? undefined
  }
  return { ...all, ...(cursor === undefined ? {} : { cursor }) }
}

const directory = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
try {
  const path = join(directory, 'ledger.db')
  fill(path)
  const ledger = openSqliteLedger(path)
  ledger.expectManyQuestions()
  const reader = readerOf(ledger)
  const database = new DatabaseSync(path, { readOnly: true })
  const rows: (string | number)[][] = [['asked', 'jobs', 'ms', 'plain SELECT ms', 'ratio']]
  const asked = { ...questions, 'in the middle': await middleOf(reader) }
  for (const [name, query] of Object.entries(asked)) {
    const { jobs } = await listJobs(reader, query)
    const ids = JSON.stringify(jobs.map(({ taskId }) => taskId))
    const plain = database.prepare(
      'SELECT * FROM attempt JOIN job ON job.id = job_id WHERE task_id IN (SELECT value FROM json_each(?)) ORDER BY started_at DESC',
    )
    const plainMs = await milliseconds(() => plain.all(ids))
    const ms = await milliseconds(() => listJobs(reader, query))
    rows.push([name, jobs.length, ...[ms, plainMs, ms / plainMs].map(rounded)])
    verdict(name, ms, isWorst(name) ? worstMilliseconds : limitMilliseconds, ' ms')
  }
  printTable(rows)
  database.close()
  await reader.close()
} finally {
  rmSync(directory, { recursive: true })
}
