import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { programCommand, type HistoryRecord } from '../program.ts'

export interface Verdict {
  readonly jobs: number
  readonly attempts: number
  readonly interrupted: number
  readonly superseded: number
  readonly problems: readonly string[]
}

interface JobRow {
  readonly id: string
  readonly name: string
  readonly state: string
}

interface AttemptRow {
  readonly task_id: string
  readonly job_id: string
  readonly number: number
  readonly state: string
  readonly has_result: boolean
}

/** What came of a storm, by the log that the jobs themselves wrote, the queue, and the ledgers of the workers. */
export async function judgeStorm(address: string, directory: string): Promise<Verdict> {
  const client = new Client({ connectionString: address })
  await client.connect()
  const jobs = await client.query<JobRow>(
    `SELECT replace(id::text, '-', '') AS id, name, state FROM jobmeter.queue_job`,
  )
  const attempts = await client.query<AttemptRow>(
    `SELECT replace(task_id::text, '-', '') AS task_id, replace(job_id::text, '-', '') AS job_id, number, state,
       result IS NOT NULL AS has_result FROM jobmeter.queue_attempt ORDER BY job_id, number`,
  )
  const boss = await client.query('SELECT 1 FROM jobmeter_queue.job')
  await client.end()
  const truth = readTruth(join(directory, 'truth'))
  const count = (state: string) => attempts.rows.filter((each) => each.state === state).length
  return {
    jobs: jobs.rows.length,
    attempts: attempts.rows.length,
    interrupted: count('interrupted'),
    superseded: count('superseded'),
    problems: [
      ...notOnceAccepted(jobs.rows, attempts.rows, truth),
      ...sideBySide(truth),
      ...tornBatches(jobs.rows),
      ...notRecorded(directory, truth),
      ...boss.rows.map(() => 'pg-boss still has a job'),
    ],
  }
}

interface Ran {
  readonly taskId: string
  readonly ticks: number[]
  ends: number
}

/** By job, in the order in which they began. */
type Truth = ReadonlyMap<string, readonly Ran[]>

function readTruth(path: string): Truth {
  const truth = new Map<string, Map<string, Ran>>()
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  for (const line of lines) {
    const [kind = '', jobId = '', taskId = '', time = '0'] = line.split(' ')
    const ofJob = truth.get(jobId) ?? new Map<string, Ran>()
    truth.set(jobId, ofJob)
    const ran = ofJob.get(taskId) ?? { taskId, ticks: [], ends: 0 }
    ofJob.set(taskId, ran)
    ran.ticks.push(Number(time) / 1e9)
    if (kind === 'e') ran.ends += 1
  }
  return new Map(
    Array.from(truth, ([jobId, all]) => [
      jobId,
      [...all.values()].toSorted((one, other) => (one.ticks[0] ?? 0) - (other.ticks[0] ?? 0)),
    ]),
  )
}

function notOnceAccepted(
  jobs: readonly JobRow[],
  attempts: readonly AttemptRow[],
  truth: Truth,
): string[] {
  const byJob = Map.groupBy(attempts, (each) => each.job_id)
  return jobs.flatMap(({ id, state }) => {
    const accepted = (byJob.get(id) ?? []).filter((each) => each.state === 'ended')
    const [only] = accepted.slice(-1)
    const ran = truth.get(id)?.find(({ taskId }) => taskId === only?.task_id)
    const counted = accepted.filter(
      ({ task_id }) => (truth.get(id)?.find(({ taskId }) => taskId === task_id)?.ends ?? 0) > 0,
    )
    return [
      ...(state === 'success' ? [] : [`job ${id} is ${state}`]),
      ...(counted.length === 1 ? [] : [`job ${id} has ${counted.length} accepted results`]),
      ...(only?.has_result === true ? [] : [`job ${id} has no result`]),
      ...(ran?.ends === 1 ? [] : [`the accepted attempt of ${id} ended ${ran?.ends} times`]),
    ]
  })
}

/** An attempt must not show a sign of life once a later one has begun. */
function sideBySide(truth: Truth): string[] {
  return Array.from(truth).flatMap(([jobId, ran]) =>
    ran.slice(1).flatMap(({ ticks, taskId }, index) => {
      const before = ran[index]
      const last = Math.max(...(before?.ticks ?? []))
      const first = Math.min(...ticks)
      return last < first
        ? []
        : [
            `job ${jobId}: ${before?.taskId} still ran ${(last - first).toFixed(3)} s after ${taskId} began`,
          ]
    }),
  )
}

/** Of a submitter that was killed all jobs are there, or none. */
function tornBatches(jobs: readonly JobRow[]): string[] {
  const killed = jobs.filter(({ name }) => name.startsWith('killed'))
  return Array.from(Map.groupBy(killed, ({ name }) => name)).flatMap(([name, rows]) =>
    rows.length % 200 === 0 ? [] : [`${name} has ${rows.length} jobs of 200`],
  )
}

/** Each attempt that ran is in the ledger of one worker, once. */
function notRecorded(directory: string, truth: Truth): string[] {
  const [program = '', ...rest] = programCommand
  const seen = new Map<string, number>()
  for (const index of [0, 1, 2]) {
    const ledger = join(directory, `worker${index}`, 'ledger.db')
    const { stdout } = spawnSync(
      program,
      [...rest, 'history', '--limit', '1000000', '--format', 'json', '--db', ledger],
      { encoding: 'utf8', maxBuffer: 2 ** 30, env: { ...process.env, HOME: directory } },
    )
    for (const { task_id } of JSON.parse(stdout || '[]') as HistoryRecord[])
      seen.set(task_id, (seen.get(task_id) ?? 0) + 1)
  }
  return [...truth.values()].flat().flatMap(({ taskId }) => {
    const count = seen.get(taskId) ?? 0
    return count === 1 ? [] : [`attempt ${taskId} is recorded ${count} times`]
  })
}
