/**
 * What a job of the queue costs the team database: CPU time and statements to submit it and to run it, rows and bytes on disk; and
 * what a worker costs that has nothing to do. `docs/scale.md` goes by these figures.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../src/store/postgres/connection.ts'
import { bossSchema } from '../src/store/postgres/queue/boss-version.ts'
import { TeamQueue } from '../src/store/postgres/queue/team-queue.ts'
import { startPostgres } from '../test/postgres.ts'
import { submission } from '../test/queue/some-submission.ts'
import { teamDatabase } from '../test/queue/team.ts'
import { startWorker } from '../test/queue/worker.ts'
import { serverCpuSeconds } from './team-ledger/server-cpu.ts'
import { printTable, rounded } from './verdict.ts'

const jobs = Number(process.env['JOBMETER_JOBS'] ?? 10_000)
/** A job that is submitted by itself, as by `jobmeter submit`. */
const single = 200
const workers = 2
const idleSeconds = 30

interface Spent {
  readonly cpuSeconds: number
  readonly statements: number
}

async function statements(database: Database): Promise<number> {
  const sql = `SELECT sum(calls) AS calls FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
    WHERE datname = current_database() AND toplevel`
  return Number((await database.rows(sql))[0]?.['calls'])
}

interface Size {
  readonly rows: number
  readonly bytes: number
}

/** Of what the queue keeps: our own tables of it, and those of pg-boss. */
async function sizeOf(database: Database): Promise<Size> {
  await database.run('VACUUM ANALYZE')
  const sql = `SELECT sum(greatest(reltuples, 0)) AS rows, sum(pg_total_relation_size(pg_class.oid)) AS bytes
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind = 'r' AND (nspname = '${bossSchema}' OR (nspname = 'jobmeter' AND relname LIKE 'queue%'))`
  const [row] = await database.rows(sql)
  return { rows: Number(row?.['rows']), bytes: Number(row?.['bytes']) }
}

const postgres = await startPostgres('shared_preload_libraries=pg_stat_statements')
const folders = Array.from({ length: workers }, () =>
  mkdtempSync(join(tmpdir(), 'jobmeter-bench-')),
)
try {
  const address = await teamDatabase(postgres, 'queue')
  const queue = await TeamQueue.open(address)
  const { database } = queue
  await database.run('CREATE EXTENSION pg_stat_statements')
  const spent = async (work: () => Promise<unknown>): Promise<Spent> => {
    const before = [serverCpuSeconds(postgres.pid), await statements(database)] as const
    await work()
    return {
      cpuSeconds: serverCpuSeconds(postgres.pid) - before[0],
      statements: (await statements(database)) - before[1],
    }
  }
  const user = process.env['USER'] ?? 'root'
  const empty = await sizeOf(database)
  const one = await spent(async () => {
    for (let job = 0; job < single; job += 1) await queue.submit([submission({ user })])
  })
  const many = Array.from({ length: jobs }, () => submission({ user }))
  const all = await spent(() => queue.submit(many))
  const waiting = await sizeOf(database)
  const left = async (): Promise<number> => {
    const sql = 'SELECT count(*) AS left FROM queue_job WHERE ended_at IS NULL'
    return Number((await database.rows(sql))[0]?.['left'])
  }
  const running = folders.map((folder) => startWorker(address, folder, '--cpus', '2'))
  const run = await spent(async () => {
    while ((await left()) > 0) await sleep(1000)
  })
  const ended = await sizeOf(database)
  // They write what they have left to tell before they have nothing to do.
  await sleep(5000)
  const connected = `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
  const connections = Number((await database.rows(connected))[0]?.['n'])
  const idle = await spent(() => sleep(1000 * idleSeconds))
  for (const worker of running) worker.kill('SIGTERM')
  await Promise.all(running.map((worker) => worker.hasEnded))
  await queue.close()

  const total = jobs + single
  const each = ({ cpuSeconds, statements: calls }: Spent, count: number) => [
    rounded((1000 * cpuSeconds) / count),
    rounded(calls / count),
  ]
  printTable([
    ['of the server', 'ms of CPU', 'statements'],
    ['to submit a job by itself', ...each(one, single)],
    [`to submit a job, ${jobs} at once`, ...each(all, jobs)],
    ['to run a short job', ...each(run, total)],
    ['a second of a worker with nothing to do', ...each(idle, workers * idleSeconds)],
  ])
  const per = (to: Size, key: keyof Size): number => rounded((to[key] - empty[key]) / total)
  printTable([
    ['on disk', 'rows', 'bytes'],
    ['a job that waits', per(waiting, 'rows'), per(waiting, 'bytes')],
    ['a job that has ended', per(ended, 'rows'), per(ended, 'bytes')],
  ])
  console.log(`connections of a worker: ${rounded(connections / workers)}`)
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  await postgres.stop()
}
