import type { JobRecord } from '../model/record.ts'
import { queueIdIn, queueTag } from '../model/queue-tag.ts'
import { taskTag } from '../model/task-tag.ts'
import type { JobsReader, LedgerReader } from '../store/ledger/ledger-reader.ts'
import { unstartedText } from './unstarted-job.ts'
import { UserError } from './user-error.ts'

/** What people may call a job where one is asked for. */
export const jobWords = 'a task id or the start of one, a name, a job id, or `last`'

/** So many digits of a task id are printed where it is shortened; nobody types so many and means something else. */
const shortIdLength = 12

/**
 * The job that is meant, its newest attempt: by `last`; by a task id as it is printed anywhere, shortened or not; by name; by the
 * number that the ledger gave it; by any start of a task id that no other has; or by the id that a program gave it. In this order,
 * so that a job called `feed` can be had though an id may begin so.
 */
export async function findJob(
  { jobs, workflows }: LedgerReader,
  typed: string,
): Promise<JobRecord> {
  if (typed.toLowerCase() === 'last') return newest(jobs)
  // `3f8a21b2c4d5...` is how the history shortens ids, and what is copied from it.
  const start = typed.toLowerCase().replace(/(\.{3}|…)$/, '')
  const isId = /^[0-9a-f]+$/.test(start)
  if (!isId || start.length < shortIdLength) {
    const [known] = [
      ...(await jobs.find({ name: typed, limit: 1 })),
      ...(await byNumber(jobs, typed)),
    ]
    if (known !== undefined) return known
  }
  const found = await jobs.findByPrefix(start)
  const [record = (await byOtherNames(jobs, typed)) ?? (await ofQueue(jobs, start))] = found
  if (record === undefined) {
    const [unstarted] = await workflows.findJobs({ name: typed })
    throw new UserError(
      unstarted?.attempts === 0
        ? unstartedText(unstarted)
        : `no job has the name or job id "${typed}", or a task id that starts with it. See jobmeter history --all`,
    )
  }
  const ids = [...new Set(found.map(({ taskId }) => taskId))]
  if (ids.length > 1 && record.taskId !== start) {
    const some = ids.slice(0, 5).map((taskId) => taskId.slice(0, start.length + 6))
    throw new UserError(
      `no job is named "${typed}", and ${ids.length} task ids start with it: ${some.join(', ')}`,
    )
  }
  // The first attempt of a job of the queue has the id of the job: who gives that means the attempt that counts.
  return queueIdIn(record.tags) === record.taskId
    ? counting(await attemptsOfQueueJob(jobs, record.taskId), record)
    : record
}

/** All attempts of a job of the queue that this ledger has, the newest first. */
export const attemptsOfQueueJob = (jobs: JobsReader, queueId: string): Promise<JobRecord[]> =>
  jobs.find({ tag: queueTag(queueId) })

/** Clocks of workers may differ: an attempt whose worker was lost never comes after one that has ended. */
const counting = (newestFirst: readonly JobRecord[], other: JobRecord): JobRecord =>
  newestFirst.find(({ status }) => status !== 'interrupted') ?? newestFirst[0] ?? other

/** The first attempt may be recorded on another machine. */
async function ofQueue(jobs: JobsReader, start: string): Promise<JobRecord | undefined> {
  if (!/^[0-9a-f]{4,32}$/.test(start)) return undefined
  const found = await jobs.find({ search: queueTag(start) })
  const records = found.filter(({ tags }) => queueIdIn(tags)?.startsWith(start) === true)
  const ids = new Set(records.map(({ tags }) => queueIdIn(tags)))
  const [first] = records
  return first === undefined || ids.size > 1 ? undefined : counting(records, first)
}

async function newest(jobs: JobsReader): Promise<JobRecord> {
  const [record] = await jobs.find({ limit: 1 })
  if (record !== undefined) return record
  throw new UserError('no job is recorded yet. Run one: jobmeter run -- COMMAND')
}

/** By the id that a program gave to a job that it monitored, or by a name in any case. */
async function byOtherNames(jobs: JobsReader, typed: string): Promise<JobRecord | undefined> {
  const [given] = await jobs.find({ tag: taskTag(typed), limit: 1 })
  if (given !== undefined) return given
  const [named] = await jobs.find({ name: typed, inAnyCase: true, limit: 1 })
  return named
}

async function byNumber(jobs: JobsReader, typed: string): Promise<JobRecord[]> {
  return /^\d{1,15}$/.test(typed) ? jobs.find({ jobId: Number(typed), limit: 1 }) : []
}
