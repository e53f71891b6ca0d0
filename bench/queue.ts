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
import { prepare } from './outside.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * How long it takes to submit 100,000 jobs, and how fast 10,000 jobs of `true` go through two workers of this machine, each
 * measured and recorded; against pg-boss alone, which hands out as many messages and runs nothing.
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

/** From the moment at which the first job was taken until the last had ended, by the clock of the database. */
async function queueSeconds(postgres: Postgres, user: string): Promise<number> {
  const address = await teamDatabase(postgres, 'run')
  const queue = await TeamQueue.open(address)
  await queue.submit(many(jobs, user))
  const folders = Array.from({ length: workers }, () =>
    mkdtempSync(join(tmpdir(), 'jobmeter-bench-')),
  )
  const running = folders.map((folder) => startWorker(address, folder, '--cpus', '2'))
  const left = async (): Promise<number> => {
    const [row] = await queue.database.rows(
      'SELECT count(*) AS left FROM queue_job WHERE ended_at IS NULL',
    )
    return Number(row?.['left'])
  }
  while ((await left()) > 0) await sleep(200)
  const [row] = await queue.database.rows(
    `SELECT extract(epoch FROM max(ended_at) - min(taken_at))::float8 AS seconds,
       count(*) FILTER (WHERE state <> 'ended') AS others FROM queue_attempt`,
  )
  if (row?.['others'] !== 0) throw new Error('some jobs were run twice')
  for (const worker of running) worker.kill('SIGTERM')
  await Promise.all(running.map((worker) => worker.hasEnded))
  await queue.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  return Number(row['seconds'])
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

prepare()
const postgres = await startPostgres()
try {
  const user = process.env['USER'] ?? 'root'
  const toSubmit = await submitSeconds(postgres)
  const ours = await queueSeconds(postgres, user)
  const alone = await bossSeconds(postgres)
  printTable([
    ['', 'jobs', 'seconds', 'jobs/s'],
    ['submit', submitted, rounded(toSubmit), rounded(submitted / toSubmit)],
    ['queue, two workers', jobs, rounded(ours), rounded(jobs / ours)],
    ['pg-boss alone', jobs, rounded(alone), rounded(jobs / alone)],
  ])
  console.log(`our rate : that of pg-boss alone = ${rounded(alone / ours)}`)
  verdict('submitting 100,000 jobs', (toSubmit * 100_000) / submitted, 20, ' s')
  verdict('a job of true through the queue', (1000 * ours) / jobs, 2.5, ' ms')
} finally {
  await postgres.stop()
}
