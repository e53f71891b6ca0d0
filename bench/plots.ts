/**
 * Makes a series file of 1,000 jobs and 2 million samples (JOBMETER_BENCH_SAMPLES=10000000 for ten) and plots it: every
 * page that there is. Prints time, memory and the ratio to a bare scan of the same rows.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { writePlots } from '../src/cli/reports/plot-files.ts'
import { realSystem } from '../src/system/real.ts'

const jobs = 1000
const samples = Number(process.env['JOBMETER_BENCH_SAMPLES'] ?? 2_000_000)
const limitSeconds = 20
const limitMegabytes = 500

/** As many jobs at once as there are, so that the rows of each are spread over the whole file. */
function makeFile(path: string): void {
  const database = new DatabaseSync(path)
  database.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    CREATE TABLE job_resource_samples (job_id INTEGER NOT NULL, timestamp REAL NOT NULL,
      cpu_percent REAL, memory_bytes INTEGER, num_processes INTEGER, attempt INTEGER NOT NULL,
      elapsed_seconds REAL, cpu_user_seconds REAL, cpu_system_seconds REAL, num_threads REAL);
    CREATE TABLE job_metadata (job_id INTEGER PRIMARY KEY, job_name TEXT NOT NULL);
    WITH RECURSIVE counted (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < ${jobs})
    INSERT INTO job_metadata SELECT i, 'job_' || i FROM counted;
    WITH RECURSIVE counted (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM counted WHERE i < ${samples - 1})
    INSERT INTO job_resource_samples
    SELECT i % ${jobs} + 1, 1.7e9 + i / ${jobs} * 5.0, abs(random() % 80000) / 100.0,
      abs(random() % 8000000000), 1 + abs(random() % 9), 1, i / ${jobs} * 5.0,
      i / ${jobs} * 15.0 + abs(random() % 500) / 100.0, i / ${jobs} * 1.0, 8 FROM counted;`)
  database.close()
}

function scan(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  const statement = database.prepare('SELECT * FROM job_resource_samples')
  const started = performance.now()
  let rows = 0
  for (const row of statement.iterate()) rows += row['job_id'] === null ? 0 : 1
  database.close()
  if (rows !== samples) throw new Error(`${rows} rows, not ${samples}`)
  return (performance.now() - started) / 1000
}

const [part, file = ''] = process.argv.slice(2)
if (part === 'plot') {
  // In a process of its own, so that its memory is its own.
  const started = performance.now()
  const written = writePlots(realSystem({ ownsProcess: false }), {
    paths: [file],
    directory: join(file, '../plots'),
    prefix: 'resource_plot',
  })
  const seconds = (performance.now() - started) / 1000
  const peakBytes = process.resourceUsage().maxRSS * 1024
  console.log(JSON.stringify({ seconds, peakBytes, pages: written.pages.length }))
} else {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
  try {
    const path = join(directory, 'series.db')
    makeFile(path)
    const bareSeconds = scan(path)
    const ran = spawnSync(process.execPath, [import.meta.filename, 'plot', path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const found = JSON.parse(ran.stdout) as { seconds: number; peakBytes: number; pages: number }
    console.log(`samples      ${samples.toLocaleString('en-US')} of ${jobs} jobs`)
    console.log(`pages        ${found.pages}`)
    console.log(`bare scan    ${bareSeconds.toFixed(2)} s`)
    console.log(`plots        ${found.seconds.toFixed(2)} s (limit ${limitSeconds} s)`)
    console.log(`ratio        ${(found.seconds / bareSeconds).toFixed(2)}`)
    console.log(
      `peak memory  ${(found.peakBytes / 1024 ** 2).toFixed(0)} MB (limit ${limitMegabytes} MB)`,
    )
    if (found.seconds > limitSeconds || found.peakBytes > limitMegabytes * 1024 ** 2)
      process.exitCode = 1
  } finally {
    rmSync(directory, { recursive: true })
  }
}
