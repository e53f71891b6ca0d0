/**
 * Asks a year of 50 nodes by the real program, each question as a process of its own, and prints how long the fastest of three
 * takes and the size of the database. The rows are put in as the roll-ups of the agent are, by SQL: making them of rounds takes hours.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openNodeStore } from '../src/store/node/open-node.ts'

const [hosts, users, commands, accounts] = [50, 40, 30, 8]
const [hours, jobs, perHour] = [365 * 24, 300_000, 6]
const hourMs = 3_600_000
const endMs = Math.floor(Date.now() / hourMs) * hourMs
const startMs = endMs - hours * hourMs
/** Bars: what people wait for without wondering. */
const usageLimit = 2
const psLimit = 1

const questions: readonly (readonly [args: readonly string[], limitSeconds: number])[] = [
  [['usage', '--by', 'hour-of-week', '--by', 'user'], usageLimit],
  [['usage', '--by', 'user'], usageLimit],
  [['usage', '--by', 'host'], usageLimit],
  [['usage', '--by', 'command'], usageLimit],
  [['usage', '--by', 'account,week'], usageLimit],
  [['usage', '--by', 'host', '--by', 'day'], usageLimit],
  [['usage', '--by', 'command,hour-of-week'], usageLimit],
  [['usage', '--by', 'user,host,weekday', '--metric', 'memory'], usageLimit],
  [['usage', '--by', 'user', '--on', 'tuesday', '--between', '8-12'], usageLimit],
  [['usage', '--by', 'hour', '--host', 'node07', '--metric', 'io'], usageLimit],
  [['usage', '--heat-map', '--by', 'host'], usageLimit],
  [['ps', '--from', '7d'], psLimit],
  [['uptime', '--from', '14d'], usageLimit],
  [['ps', '--from', '7d', '--user', 'user03', '--sort', 'memory'], psLimit],
]

function fill(path: string): void {
  openNodeStore(path).close()
  const database = new DatabaseSync(path)
  database.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN')
  const counted = (count: number): string =>
    `(WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1}) SELECT i FROM n)`
  const names = {
    host: ['node', hosts],
    user: ['user', users],
    command: ['cmd', commands],
  } as const
  for (const [table, [name, count]] of Object.entries({ ...names, account: ['acc', accounts] }))
    database.exec(
      `INSERT INTO ${table} SELECT i + 1, printf('${name}%02d', i) FROM ${counted(count as number)}`,
    )
  // Which user and command is on a host in an hour: numbers without order, the same every time.
  const mixed = '((h.i * 2654435761 + o.i * 40503 + k.i * 97) % 1000003)'
  const columns =
    'cpu_us, read_bytes, write_bytes, gpu_us, energy_mj, memory_kib_ms, gpu_memory_kib_ms'
  const amounts = `${mixed} * 3000, ${mixed} * 500, ${mixed} * 300, ${mixed} * 900, ${mixed} * 20, ${mixed} * 4000000, 0`
  database.exec(`
    INSERT OR IGNORE INTO usage_hour (at_ms, host_id, user_id, account_id, command_id, ${columns})
    SELECT ${startMs} + h.i * ${hourMs}, o.i + 1, (${mixed} % ${users}) + 1,
      (${mixed} % ${users}) % ${accounts} + 1, (${mixed} / 41 % ${commands}) + 1, ${amounts}
    FROM ${counted(hours)} AS h, ${counted(hosts)} AS o, ${counted(perHour)} AS k`)
  const sums = columns
    .split(', ')
    .map((name) => `sum(${name})`)
    .join(', ')
  database.exec(`
    INSERT INTO usage_user_hour (at_ms, user_id, account_id, ${columns})
    SELECT at_ms, user_id, account_id, ${sums} FROM usage_hour GROUP BY 1, 2, 3;
    INSERT INTO node_hour (at_ms, host_id, span_ms, core_ms, memory_total_kib_ms, gpu_ms, gpu_memory_total_kib_ms, ${columns})
    SELECT at_ms, host_id, ${hourMs}, 64 * ${hourMs}, 268435456 * ${hourMs}, 4 * ${hourMs}, 0, ${sums}
    FROM usage_hour GROUP BY 1, 2;
    INSERT INTO job (host_id, epoch, kind, key, user_id, account_id, command_id, pid, first_ms, last_ms, span_ms, asked_cpus, asked_by, cpu_us, memory_peak_kib)
    SELECT i % ${hosts} + 1, 'boot', 'slurm', i, i * 7 % ${users} + 1, i % ${accounts} + 1, i % ${commands} + 1, i,
      ${startMs} + i * ${Math.floor((hours * hourMs) / jobs)}, ${startMs} + i * ${Math.floor((hours * hourMs) / jobs)} + ${hourMs},
      ${hourMs}, 4, 'slurm', i * 1000, i FROM ${counted(jobs)}`)
  // The last fortnight has single rounds.
  database.exec(`
    INSERT INTO round (host_id, at_ms, number, epoch, span_ms, lost_records, cores, gpus, core_us, ${columns})
    SELECT o.i + 1, ${endMs} - h.i * 60000, 20160 - h.i, 'boot', 60000, 0, 64, 4, '[]', 0, 0, 0, 0, 0, 0, 0
    FROM ${counted(20_160)} AS h, ${counted(hosts)} AS o`)
  database.exec('COMMIT; ANALYZE')
  database.close()
}

function ask(command: readonly string[]) {
  const started = performance.now()
  const cwd = join(import.meta.dirname, '..')
  const options = { encoding: 'utf8', maxBuffer: 2 ** 30, cwd } as const
  const { status, stderr } = spawnSync(process.execPath, command, options)
  return { status, stderr, seconds: (performance.now() - started) / 1000 }
}

const directory = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
try {
  const path = join(directory, 'node.db')
  fill(path)
  console.log(
    `${hosts} nodes, ${hours / 24} days, ${jobs.toLocaleString('en')} jobs: ${(statSync(path).size / 2 ** 20).toFixed(0)} MB`,
  )
  for (const [args, limit] of questions) {
    const spans = args.includes('--from') ? [] : ['--from', '365d']
    const command = ['bin/jobmeter.cjs', ...args, ...spans, '--format', 'csv', '--db', path]
    const tries = [1, 2, 3].map(() => ask(command))
    const seconds = Math.min(...tries.map((one) => one.seconds))
    const stderr = tries.map((one) => one.stderr).join('')
    const isGood = tries.every(({ status }) => status === 0) && seconds <= limit
    if (!isGood) process.exitCode = 1
    console.log(
      `${isGood ? 'good' : 'BAD '}  ${seconds.toFixed(2).padStart(6)} s of ${limit} s  ${args.join(' ')} ${stderr.trim()}`,
    )
  }
} finally {
  rmSync(directory, { recursive: true })
}
