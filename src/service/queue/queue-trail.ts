import { readQueueResult, type QueueResult } from '../../model/queue-result.ts'
import { queueIdIn } from '../../model/queue-tag.ts'
import type { QueueJob, QueueTrail, TrailAttempt } from '../../model/queue.ts'
import { whyNot } from '../../model/reading.ts'
import type { JobRecord } from '../../model/record.ts'
import type { JobsReader } from '../../store/ledger/ledger-reader.ts'
import { attemptsOf, findJob, type QueueAttempt } from '../../store/postgres/queue/jobs.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import { toldRecord } from '../../store/postgres/queue/told-record.ts'
import { attemptsOfQueueJob } from '../find-job.ts'
import { UserError } from '../user-error.ts'

/** A record of a job of the queue, with all attempts at that job. */
export interface Trailed {
  readonly record: JobRecord
  readonly trail: QueueTrail
}

/** The attempts that a ledger has of the job that a record is of; undefined of a job that is of no queue. */
export async function trailInLedger(
  jobs: JobsReader,
  record: JobRecord,
): Promise<Trailed | undefined> {
  const jobId = queueIdIn(record.tags)
  if (jobId === undefined) return undefined
  const records = (await attemptsOfQueueJob(jobs, jobId)).toReversed()
  const attempts = records.map(({ taskId, status, machine, reason }, index) => ({
    taskId,
    number: index + 1,
    status,
    host: machine.host,
    reason,
  }))
  return { record, trail: { jobId, state: null, attempts } }
}

/**
 * The same as the queue knows it: which attempt counts, wherever it ran. Its record is that of the ledger, or made of what
 * its worker told. `found`: what the ledger has under the name that was given.
 */
export async function trailInQueue(
  { database }: TeamQueue,
  jobs: JobsReader,
  typed: string,
  found: JobRecord | undefined,
): Promise<Trailed> {
  const queueId = found === undefined ? typed : (queueIdIn(found.tags) ?? typed)
  const job = await findJob(database, queueId)
  const attempts = await attemptsOf(database, [job.id])
  const trail = { jobId: job.id, state: job.state, attempts: attempts.map(attemptSeen) }
  const last = attempts.at(-1)
  // One attempt is meant where its own id was given.
  const isMeant = found !== undefined && found.taskId !== job.id && found.taskId.startsWith(typed)
  const record =
    isMeant || last === undefined || last.taskId === found?.taskId
      ? found
      : ((await jobs.findByPrefix(last.taskId))[0] ?? recordTold(job, last) ?? found)
  if (record === undefined) throw new UserError(whyNoRecord(job, last))
  return { record, trail }
}

function attemptSeen({ taskId, number, host, state, result }: QueueAttempt): TrailAttempt {
  const outcome = toldIn(result)?.result.outcome
  const status = state === 'ended' ? (outcome?.status ?? state) : state
  const reason = outcome?.reason ?? (state === 'interrupted' ? 'its worker was lost' : null)
  return { taskId, number, status, host, reason }
}

/** Undefined where its worker has told nothing yet, or nothing that can be read. */
function toldIn(text: string | null): QueueResult | undefined {
  const told = text === null ? undefined : readQueueResult(text)
  return told?.kind === 'ok' ? told.value : undefined
}

function recordTold(job: QueueJob, attempt: QueueAttempt): JobRecord | undefined {
  const told = toldIn(attempt.result)
  return told === undefined ? undefined : toldRecord(job, attempt, told)
}

function whyNoRecord(
  { id, state, host, reason }: QueueJob,
  last: QueueAttempt | undefined,
): string {
  const job = `job ${id.slice(0, 12)} of the queue`
  if (state === 'running')
    return `${job} runs on ${host ?? 'a worker'}, and its record is there until it has ended. Its output: jobmeter logs --follow ${id}`
  if (state === 'queued' || state === 'waiting')
    return `${job} has not begun: jobmeter queue why ${id}`
  if (last?.result === null) return `${job} has ended as ${state}, and its worker was lost`
  const told = readQueueResult(last?.result ?? '')
  if (last !== undefined && told.kind !== 'ok')
    return `${job} has ended as ${state}, and its result cannot be read: ${whyNot(told)}`
  return `${job} never began: ${reason ?? state}`
}
