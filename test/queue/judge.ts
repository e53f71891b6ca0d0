import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { programCommand, type HistoryRecord } from '../program.ts'

/** So many are submitted by somebody who is killed. */
export const killedJobs = 50

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

interface PrintedRow {
  readonly task_id: string
  readonly stream: string
  readonly from_byte: number
  readonly bytes: Buffer
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
  const printed = await client.query<PrintedRow>(
    `SELECT replace(log.task_id::text, '-', '') AS task_id, stream, from_byte::int, bytes
     FROM jobmeter.queue_log log JOIN jobmeter.queue_attempt USING (task_id) WHERE state = 'ended'
     ORDER BY task_id, stream, from_byte`,
  )
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
      ...notWhole(attempts.rows, printed.rows),
      ...tornBatches(jobs.rows),
      ...notRecorded(directory, truth),
      ...leftFiles(directory),
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

/** Of the attempts that count, each stream is there from its first line to its last, once. */
function notWhole(attempts: readonly AttemptRow[], pieces: readonly PrintedRow[]): string[] {
  const byStream = Map.groupBy(pieces, ({ task_id, stream }) => `${task_id} ${stream}`)
  return attempts
    .filter(({ state }) => state === 'ended')
    .flatMap(({ task_id }) =>
      ['stdout', 'stderr'].flatMap((stream) => {
        const text = joined(byStream.get(`${task_id} ${stream}`) ?? [])
        const ticks = Number(/^\w+ begins (\d+)\n/.exec(text)?.[1] ?? -1)
        return text === printedBy(stream === 'stdout' ? 'out' : 'err', ticks)
          ? []
          : [`${stream} of ${task_id} is ${JSON.stringify(text)}`]
      }),
    )
}

/** Pieces may be kept twice in part, as whoever reads them knows; what is missing between them shows as dots. */
function joined(pieces: readonly PrintedRow[]): string {
  let text = Buffer.alloc(0)
  for (const { from_byte, bytes } of pieces) {
    const gap = Buffer.alloc(Math.max(0, from_byte - text.length), '.')
    text = Buffer.concat([text, gap, bytes.subarray(Math.max(0, text.length - from_byte))])
  }
  return text.toString()
}

function printedBy(stream: string, ticks: number): string {
  const counted = Array.from({ length: Math.max(0, ticks) }, (_, index) => `${ticks - index}`)
  const words = [`begins ${ticks}`, ...counted, 'ends']
  return words.map((each) => `${stream} ${each}\n`).join('')
}

/** Of a submitter that was killed all jobs are there, or none. */
function tornBatches(jobs: readonly JobRow[]): string[] {
  const killed = jobs.filter(({ name }) => name.startsWith('killed'))
  return Array.from(Map.groupBy(killed, ({ name }) => name)).flatMap(([name, rows]) =>
    rows.length % killedJobs === 0 ? [] : [`${name} has ${rows.length} jobs of ${killedJobs}`],
  )
}

/** Of workers that were killed those that came after them have let go of all files. */
function leftFiles(directory: string): string[] {
  return [0, 1, 2].flatMap((index) =>
    readdirSync(join(directory, `worker${index}`, 'queue-logs')).map(
      (name) => `worker${index} has left ${name}`,
    ),
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
