/**
 * Scrapes a ledger of 100,000 attempts for `/metrics`, and prints how long the first scrape takes and how long later ones take,
 * with one more attempt each, as ratios to `SELECT count(*)` over the same attempts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { median } from '../src/analysis/statistics/median.ts'
import { metricsText } from '../src/render/metrics/metrics-text.ts'
import { OwnMetricsBook } from '../src/server/own-metrics.ts'
import { MetricsGatherer } from '../src/service/metrics/metrics-gatherer.ts'
import { readerOf } from '../src/store/ledger/ledger-reader.ts'
import { openSqliteLedger } from '../src/store/ledger/open.ts'
import { realSystem } from '../src/system/real.ts'
import { someEnd, someStart } from '../test/contracts/attempts.ts'
import { fillLedger } from '../test/synthetic/large-ledger.ts'
import { printTable, rounded, verdict } from './verdict.ts'

const size = { commands: 50_000, jobs: 50_000, runs: 1 }
const repeats = 20

async function seconds(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1e3
}

const directory = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
const path = join(directory, 'ledger.db')
try {
  fillLedger(path, size)
  const ledger = openSqliteLedger(path)
  // The workflow of the made-up ledger ended long ago: now it is being run again, and its 50,000 jobs are counted.
  const startedAt = Date.now() / 1e3
  const run = { startedAt, outputDirectory: '/', host: 'node01', workingDirectory: '/' }
  ledger.workflows.beginRun(1, run)
  const system = realSystem({ ownsProcess: false })
  const gatherer = new MetricsGatherer({ system, reader: readerOf(ledger) })
  const own = new OwnMetricsBook({ version: '0', startedAt })
  let text = ''
  const scrape = async (): Promise<void> => {
    text = metricsText(await gatherer.gather(), own.taken(), 'openmetrics')
  }
  const bare = new DatabaseSync(path)
  const counting = bare.prepare('SELECT status, count(*) FROM attempt GROUP BY status')
  const counts: number[] = []
  for (let at = 0; at < repeats; at += 1) counts.push(await seconds(() => counting.all()))
  const count = median(counts)

  own.taken()
  const first = await seconds(scrape)
  await new Promise((resolve) => setTimeout(resolve, 150))
  const longest = own.taken().loopDelay?.mostSeconds ?? 0
  const later: number[] = []
  for (let at = 0; at < repeats; at += 1) {
    ledger.jobs.finish(ledger.jobs.begin(someStart(`new ${at}`)), someEnd())
    later.push(await seconds(scrape))
  }
  const told = (name: string, took: number): (string | number)[] => [
    name,
    rounded(1e3 * took),
    rounded(took / count),
  ]
  printTable([
    ['', 'ms', 'of counting'],
    told('counting attempts by status in SQL', count),
    told('first scrape', first),
    told('a later scrape, one more attempt', median(later)),
  ])
  console.log(`${text.split('\n').length} lines, ${Math.round(text.length / 1024)} KiB`)
  console.log(
    `the longest that others waited during the first scrape: ${rounded(1e3 * longest)} ms`,
  )
  verdict('first scrape against counting', first / count, 60, ' times')
  verdict('a later scrape against counting', median(later) / count, 1, ' times')
  bare.close()
  own.close()
  gatherer.close()
  ledger.close()
} finally {
  rmSync(directory, { recursive: true })
}
