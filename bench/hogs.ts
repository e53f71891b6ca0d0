/**
 * `hogs` over the last week of a year of 50 nodes, which is generated (the same each time): against the floor of starting
 * the program and reading the bare rows. And what it takes to judge that week anew from its hours, as for imported data.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { median } from '../src/analysis/statistics/median.ts'
import { openNodeStore } from '../src/store/node/open-node.ts'
import { printTable, rounded, verdict } from './verdict.ts'

const [hosts, jobsAtOnce, days] = [50, 10, 365]
const hourMs = 3_600_000
const program = join(import.meta.dirname, '..', 'bin', 'jobmeter.cjs')
const repeats = 5
const end = Math.floor(Date.now() / hourMs) * hourMs
const start = end - days * 24 * hourMs

const directory = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
const db = join(directory, 'node.db')

/** A number from 0 to 999 that looks random, and is the same each time. */
const noise = (of: string): string => `(((${of}) * 2654435761 >> 7) & 1023) * 1000 / 1024`
const numbers = (name: string, count: number): string =>
  `${name}(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM ${name} WHERE n < ${count - 1})`

/** Jobs of a day each; hourly rows of them and of the nodes; and four violations a day on each node. */
function fill(): void {
  openNodeStore(db).close()
  using database = new DatabaseSync(db)
  database.exec(`
    PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN;
    WITH RECURSIVE ${numbers('h', hosts)} INSERT INTO host SELECT n + 1, 'node' || n FROM h;
    WITH RECURSIVE ${numbers('u', 40)} INSERT INTO user SELECT n + 1, 'user' || n FROM u;
    INSERT INTO account VALUES (1, '');
    WITH RECURSIVE ${numbers('c', 60)} INSERT INTO command SELECT n + 1, 'command' || n FROM c;
    WITH RECURSIVE ${numbers('h', hosts)}, ${numbers('d', days)}, ${numbers('j', jobsAtOnce)}
    INSERT INTO job (host_id, epoch, kind, key, user_id, account_id, command_id, started_ms, first_ms,
      last_ms, span_ms, cpu_us, memory_kib_ms, cpu_peak_millicores, memory_peak_kib)
    SELECT h.n + 1, 'boot', 'session', d.n || '-' || j.n, (h.n * 7 + d.n * 3 + j.n) % 40 + 1, 1,
      (h.n + d.n + j.n) % 60 + 1, ${start} + d.n * ${24 * hourMs}, ${start} + d.n * ${24 * hourMs},
      ${start} + (d.n + 1) * ${24 * hourMs}, ${24 * hourMs}, 0, 0, 0, 0
    FROM h, d, j;
    WITH RECURSIVE ${numbers('t', 24)}
    INSERT INTO job_hour (job_id, at_ms, span_ms, cpu_us, memory_kib_ms, cpu_peak_millicores,
      memory_peak_kib, processes_peak, threads_peak, zombies_peak)
    SELECT job.id, job.first_ms + t.n * ${hourMs}, ${hourMs}, 36000000 * ${noise('job.id * 31 + t.n')},
      ${hourMs} * (1000 * ${noise('job.id')}), 10 * ${noise('job.id * 31 + t.n')} + 100,
      1000 * ${noise('job.id')}, 4, 8, 0
    FROM job, t;
    WITH RECURSIVE ${numbers('h', hosts)}, ${numbers('t', days * 24)}
    INSERT INTO node_hour (at_ms, host_id, span_ms, core_ms, memory_total_kib_ms, gpu_ms, cpu_us,
      gpu_us, memory_kib_ms, processes_peak, threads_peak, zombies_peak)
    SELECT ${start} + t.n * ${hourMs}, h.n + 1, ${hourMs}, ${hourMs} * 64, ${hourMs} * 268435456,
      ${hourMs} * 4, 36000000 * 5000, 0, ${hourMs} * 5000000, 100, 200, 0
    FROM h, t;
    WITH RECURSIVE ${numbers('h', hosts)}, ${numbers('d', days)}, ${numbers('j', 4)}
    INSERT INTO violation (policy, severity, host_id, user_id, account_id, subject, epoch, kind, key,
      command, first_ms, last_ms, held_ms, text, spared, reported_ms, resolved_ms, resolved_because)
    SELECT 'cpuhog', 'warning', h.n + 1, (h.n * 7 + d.n * 3 + j.n) % 40 + 1, 1, d.n || '-' || j.n,
      'boot', 'session', d.n || '-' || j.n, 'command', ${start} + d.n * ${24 * hourMs} + ${hourMs},
      ${start} + (d.n + 1) * ${24 * hourMs}, ${hourMs}, 'keeps cores of a GPU node busy',
      CASE WHEN j.n > 0 THEN '50 of 64 cores were free' END, 1, ${start} + (d.n + 1) * ${24 * hourMs},
      'the job is over'
    FROM h, d, j;
    COMMIT;`)
}

function ask(...args: readonly string[]): { seconds: number; lines: number } {
  const began = performance.now()
  const ended = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (ended.status !== 0) throw new Error(`${args.join(' ')}: ${ended.stderr}`)
  return { seconds: (performance.now() - began) / 1e3, lines: ended.stdout.split('\n').length }
}

const timed = (times: number, ...args: readonly string[]): { seconds: number; lines: number } => {
  const runs = Array.from({ length: times }, () => ask(...args))
  return { seconds: median(runs.map(({ seconds }) => seconds)), lines: runs[0]?.lines ?? 0 }
}

/** The rows of that week, and nothing done with them. */
function bareSeconds(): number {
  const began = performance.now()
  using database = new DatabaseSync(db, { readOnly: true })
  const sql = 'SELECT * FROM violation WHERE last_ms >= ?'
  if (database.prepare(sql).all(end - 7 * 24 * hourMs).length === 0) throw new Error('no rows')
  return (performance.now() - began) / 1e3
}

try {
  fill()
  const floor =
    timed(repeats, '--version').seconds +
    median(Array.from({ length: repeats }, () => bareSeconds()))
  const hogs = timed(repeats, 'hogs', '--all', '--db', db)
  const json = timed(repeats, 'hogs', '--format', 'json', '--db', db)
  const tried = timed(1, 'policies', 'test', 'cpuhog', '--from', '7d', '--rows', 'hour', '--db', db)
  printTable([
    ['asked', 's', 'of the floor', 'lines'],
    ['hogs --all', rounded(hogs.seconds), rounded(hogs.seconds / floor), hogs.lines],
    ['hogs --format json', rounded(json.seconds), rounded(json.seconds / floor), json.lines],
    [
      'policies test, from hours',
      rounded(tried.seconds),
      rounded(tried.seconds / floor),
      tried.lines,
    ],
  ])
  console.log(
    `${hosts} nodes, ${days} days: ${rounded(statSync(db).size / 1e6)} MB; floor ${rounded(floor)} s`,
  )
  verdict('hogs over the last week', Math.max(hogs.seconds, json.seconds), 1, ' s')
} finally {
  rmSync(directory, { recursive: true, force: true })
}
