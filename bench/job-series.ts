/**
 * A job of 1,000,000 samples in the ledger (JOBMETER_BENCH_SAMPLES for another number): reads and thins it to 2,000 points
 * a chart, whole and a tenth of it, and prints the ratio to reading the same rows with node:sqlite alone and with sqlite3.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { chartedColumns } from '../src/analysis/charts/derived-columns.ts'
import { median } from '../src/analysis/statistics/median.ts'
import { jobSeries } from '../src/service/job-series.ts'
import { readerOf } from '../src/store/ledger/ledger-reader.ts'
import { openSqliteLedger } from '../src/store/ledger/open.ts'
import { addLongJob } from '../test/synthetic/long-job.ts'
import { printTable, rounded, verdict } from './verdict.ts'

const samples = Number(process.env['JOBMETER_BENCH_SAMPLES'] ?? 1_000_000)
const limitSeconds = 1
const repeats = 3
const points = 2000

const select = `SELECT ${chartedColumns.join(', ')} FROM sample WHERE attempt_id = 1`

/** Every row as an array, and nothing done with it. */
function scan(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true })
  const statement = database.prepare(select)
  statement.setReturnArrays(true)
  let rows = 0
  for (const row of statement.iterate()) rows += row === undefined ? 0 : 1
  database.close()
  if (rows !== samples) throw new Error(`${rows} rows, not ${samples}`)
}

function scanByProgram(path: string): void {
  const ended = spawnSync('sqlite3', ['-readonly', path, select], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (ended.status !== 0)
    throw new Error(`sqlite3: ${ended.error?.message ?? ended.stderr.toString()}`)
}

interface Taken {
  readonly seconds: number
  /** Tells more than the time on a machine that others use too. */
  readonly cpuSeconds: number
}

async function taken(work: () => unknown): Promise<Taken> {
  const turns: Taken[] = []
  for (let turn = 0; turn < repeats; turn += 1) {
    const [started, before] = [performance.now(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(before)
    turns.push({
      seconds: (performance.now() - started) / 1000,
      cpuSeconds: (user + system) / 1e6,
    })
  }
  const middle = (key: keyof Taken): number => median(turns.map((turn) => turn[key])) ?? Number.NaN
  return { seconds: middle('seconds'), cpuSeconds: middle('cpuSeconds') }
}

const directory = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
try {
  const path = join(directory, 'ledger.db')
  const ledger = openSqliteLedger(path)
  const record = addLongJob(ledger, samples)
  const reader = readerOf(ledger)
  const bare = await taken(() => scan(path))
  const byProgram = await taken(() => scanByProgram(path))
  const whole = await taken(() => jobSeries(reader, record, { points }))
  const middle = (record.durationSeconds ?? 0) / 2
  const tenth = { fromSeconds: middle, toSeconds: middle * 1.2, points }
  const part = await taken(() => jobSeries(reader, record, tenth))
  const answer = await jobSeries(reader, record, { points })
  ledger.close()
  const most = Math.max(...answer.charts.map(({ times }) => times.length))
  const line = (what: string, { seconds, cpuSeconds }: Taken): (string | number)[] => [
    what,
    rounded(seconds),
    rounded(cpuSeconds),
    rounded(seconds / bare.seconds),
    rounded(seconds / byProgram.seconds),
  ]
  printTable([
    ['', 'seconds', 'CPU seconds', '× node:sqlite', '× sqlite3'],
    line('the rows with node:sqlite alone', bare),
    line('the rows with sqlite3 (CPU time not ours)', byProgram),
    line(`all samples as charts of ${points} points`, whole),
    line('a tenth of them', part),
  ])
  const bytes = JSON.stringify(answer).length
  console.log(`the answer: ${answer.charts.length} charts, at most ${most} points, ${bytes} bytes`)
  verdict('the whole job as charts, CPU time', whole.cpuSeconds, limitSeconds, ' s')
} finally {
  rmSync(directory, { recursive: true })
}
