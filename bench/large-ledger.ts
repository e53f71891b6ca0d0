/**
 * Asks a ledger of 200,000 records for totals, comparisons, lists and exports, and prints how long each takes, its ratio to
 * reading the bare rows, and how memory grows from a quarter of the records.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fillLedger, type LedgerSize } from '../test/synthetic/large-ledger.ts'
import { median } from '../src/analysis/statistics/median.ts'
import { printTable, rounded, verdict } from './verdict.ts'

const whole: LedgerSize = { commands: 100_000, jobs: 50_000, runs: 2 }
const quarter: LedgerSize = { commands: 25_000, jobs: 12_500, runs: 2 }
const program = join(import.meta.dirname, '..', 'bin', 'jobmeter.cjs')
const repeats = 3

/** What is asked, and in how many seconds the answer is wanted. */
const questions: readonly { argv: string; seconds?: number; isConstant?: true }[] = [
  { argv: 'stats', seconds: 1, isConstant: true },
  { argv: 'history' },
  { argv: 'results list 1 --all-runs', seconds: 1 },
  { argv: 'results list 1 --all-runs --format csv', seconds: 1 },
  { argv: 'reports compare tag:v1 tag:v2', seconds: 3 },
  { argv: 'reports compare workflow:1/1 workflow:1/2', seconds: 3 },
  { argv: 'export', isConstant: true },
  { argv: 'export --format json', isConstant: true },
  { argv: 'prune --older-than 1d --dry-run' },
]

const tellUsage =
  'data:text/javascript,import{writeSync}from"node:fs";' +
  'process.on("exit",()=>writeSync(2,JSON.stringify(process.resourceUsage())))'

interface Asked {
  readonly seconds: number
  /** Tells more than the time on a machine that others use too. */
  readonly cpuSeconds: number
  readonly peakMb: number
}

/** Has the program answer; tells how long that took, and how much memory at most. */
function ask(path: string, argv: string): Asked {
  const nowhere = openSync('/dev/null', 'w')
  const started = performance.now()
  const ended = spawnSync(
    process.execPath,
    ['--import', tellUsage, program, ...argv.split(' '), '--db', path],
    { stdio: ['ignore', nowhere, 'pipe'], encoding: 'utf8' },
  )
  const seconds = (performance.now() - started) / 1000
  closeSync(nowhere)
  if (ended.status !== 0) throw new Error(`${argv}: ${ended.stderr}`)
  const used = JSON.parse(ended.stderr) as NodeJS.ResourceUsage
  return {
    seconds,
    cpuSeconds: (used.userCPUTime + used.systemCPUTime) / 1e6,
    peakMb: used.maxRSS / 1024,
  }
}

const withUsage =
  'SELECT attempt.*, attempt_usage.usage FROM attempt JOIN attempt_usage ON attempt_id = id'

/** As fast as Node can get at the rows: every attempt with its usage, and nothing done with it. */
function bareSeconds(path: string): number {
  const started = performance.now()
  const database = new DatabaseSync(path)
  let bytes = 0
  for (const row of database.prepare(withUsage).iterate()) bytes += String(row['usage']).length
  database.close()
  if (bytes === 0) throw new Error('the ledger is empty')
  return (performance.now() - started) / 1000
}

const directory = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
try {
  const [large, small] = [join(directory, 'large.db'), join(directory, 'small.db')]
  fillLedger(large, whole)
  fillLedger(small, quarter)
  const bare = median(Array.from({ length: repeats }, () => bareSeconds(large)))
  const rows: (string | number)[][] = [
    ['asked', 's', 'CPU s', 'of bare rows', 'MB', 'MB of a quarter'],
  ]
  for (const { argv, seconds: wanted, isConstant } of questions) {
    const runs = Array.from({ length: argv.startsWith('export') ? 1 : repeats }, () =>
      ask(large, argv),
    )
    const seconds = median(runs.map((run) => run.seconds))
    const peakMb = median(runs.map((run) => run.peakMb))
    const quarterMb = ask(small, argv).peakMb
    const cpuSeconds = median(runs.map((run) => run.cpuSeconds))
    rows.push([argv, ...[seconds, cpuSeconds, seconds / bare, peakMb, quarterMb].map(rounded)])
    if (wanted !== undefined) verdict(argv, seconds, wanted, ' s')
    if (isConstant === true)
      verdict(`${argv}, memory against a quarter of the records`, peakMb / quarterMb, 1.3, ' times')
  }
  console.log(`bare rows: ${rounded(bare)} s`)
  printTable(rows)
} finally {
  rmSync(directory, { recursive: true })
}
