import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import type { QueueSubmission } from '../src/model/queue.ts'
import { TeamQueue } from '../src/store/postgres/queue/team-queue.ts'
import { startPostgres, type Postgres } from '../test/postgres.ts'
import { submission } from '../test/queue/some-submission.ts'
import { teamDatabase } from '../test/queue/team.ts'
import { startWorker } from '../test/queue/worker.ts'
import { cpuSecondsOf } from './cpu-of-processes.ts'
import { cost, prepare } from './outside.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * How long it takes to submit 100,000 jobs, and how fast 10,000 jobs of `true` go through two workers of this machine, each
 * measured and recorded; against pg-boss alone, which hands out as many messages and runs nothing, and against xargs, which
 * runs as many and keeps nothing. CPU time is that of workers, jobs and PostgreSQL together: on a machine that others use as
 * well it says more than the time that passes.
 */
const submitted = Number(process.env['JOBMETER_SUBMITTED'] ?? 100_000)
const jobs = Number(process.env['JOBMETER_JOBS'] ?? 10_000)
const workers = 2
const batch = 64

const many = (count: number, user: string): QueueSubmission[] =>
  Array.from({ length: count }, () => submission({ user }))

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

async function submitSeconds(postgres: Postgres): Promise<number> {
  const queue = await TeamQueue.open(await teamDatabase(postgres, 'submit'))
  const all = many(submitted, 'ada')
  const took = await seconds(() => queue.submit(all))
  await queue.close()
  return took
}

interface Taken {
  /** From the moment at which the first job was taken until the last had ended, by the clock of the database. */
  readonly seconds: number
  readonly cpuSeconds: number
}

async function throughQueue(postgres: Postgres, user: string): Promise<Taken> {
  const address = await teamDatabase(postgres, 'run')
  const queue = await TeamQueue.open(address)
  await queue.submit(many(jobs, user))
  const folders = Array.from({ length: workers }, () =>
    mkdtempSync(join(tmpdir(), 'jobmeter-bench-')),
  )
  const before = cpuSecondsOf(postgres.pid)
  const running = folders.map((folder) => startWorker(address, folder, '--cpus', '2'))
  const left = async (): Promise<number> => {
    const [row] = await queue.database.rows(
      'SELECT count(*) AS left FROM queue_job WHERE ended_at IS NULL',
    )
    return Number(row?.['left'])
  }
  while ((await left()) > 0) await sleep(200)
  const cpuSeconds = running.reduce(
    (sum, { pid = 0 }) => sum + cpuSecondsOf(pid),
    cpuSecondsOf(postgres.pid) - before,
  )
  const [row] = await queue.database.rows(
    `SELECT extract(epoch FROM max(ended_at) - min(taken_at))::float8 AS seconds,
       count(*) FILTER (WHERE state <> 'ended') AS others FROM queue_attempt`,
  )
  if (row?.['others'] !== 0) throw new Error('some jobs were run twice')
  for (const worker of running) worker.kill('SIGTERM')
  await Promise.all(running.map((worker) => worker.hasEnded))
  await queue.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  return { seconds: Number(row['seconds']), cpuSeconds }
}

/** As many messages, fetched and completed by as many at once, in batches. */
async function bossSeconds(postgres: Postgres): Promise<number> {
  const boss = new PgBoss({
    connectionString: await postgres.database('boss'),
    supervise: false,
    schedule: false,
  })
  await boss.start()
  await boss.createQueue('true')
  await boss.insert(
    'true',
    many(jobs, 'ada').map(({ order }) => ({ data: order })),
  )
  const drain = async (): Promise<void> => {
    for (;;) {
      const messages = await boss.fetch('true', { batchSize: batch })
      if (messages.length === 0) return
      await boss.complete(
        'true',
        messages.map(({ id }) => id),
      )
    }
  }
  const took = await seconds(() => Promise.all(Array.from({ length: workers }, drain)))
  await boss.stop({ graceful: false })
  return took
}

/** As many of `true`, two at a time. */
function xargsCost() {
  const folder = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
  const script = `seq ${jobs} | xargs -P${workers} -n1 true`
  const took = cost(['sh', '-c', script], join(folder, 'cost'), {})
  rmSync(folder, { recursive: true, force: true })
  return took
}

prepare()
const postgres = await startPostgres()
try {
  const user = process.env['USER'] ?? 'root'
  const toSubmit = await submitSeconds(postgres)
  const { seconds: ours, cpuSeconds } = await throughQueue(postgres, user)
  const alone = await bossSeconds(postgres)
  const xargs = xargsCost()
  printTable([
    ['', 'jobs', 'seconds', 'jobs/s'],
    ['submit', submitted, rounded(toSubmit), rounded(submitted / toSubmit)],
    ['queue, two workers', jobs, rounded(ours), rounded(jobs / ours)],
    ['pg-boss alone', jobs, rounded(alone), rounded(jobs / alone)],
    ['xargs -P2', jobs, rounded(xargs.wallSeconds), rounded(jobs / xargs.wallSeconds)],
  ])
  console.log(`our rate : that of pg-boss alone = ${rounded(alone / ours)}`)
  console.log(`our rate : that of xargs = ${rounded(xargs.wallSeconds / ours)}`)
  console.log(
    `CPU a job: ${rounded((1000 * cpuSeconds) / jobs)} ms in all, ${rounded((1000 * xargs.cpuSeconds) / jobs)} ms by xargs`,
  )
  verdict('submitting 100,000 jobs', (toSubmit * 100_000) / submitted, 20, ' s')
  verdict('a job of true through the queue', (1000 * ours) / jobs, 2.5, ' ms')
  verdict('its CPU time, on two cores', (1000 * cpuSeconds) / jobs, 4, ' ms')
} finally {
  await postgres.stop()
}
