import { seenRecord } from '../analysis/node/seen-record.ts'
import { jobShares } from '../analysis/node/job-shares.ts'
import { fullRefOf, parseJobRef, withHost, type JobRef } from '../model/job-ref.ts'
import type { JobKind } from '../model/node-round.ts'
import type { JobRecord } from '../model/record.ts'
import type { SeenJob } from '../model/seen-job.ts'
import type { SeenSeries } from '../model/seen-round.ts'
import type { NodeQuestions } from '../store/node/node-questions.ts'
import { UserError } from './user-error.ts'

/** What people may call a job that the agent saw. */
export const seenJobWords =
  'a job that the agent saw, as `ps` prints it: slurm:4711, session:812-7@node01'

/** A job that the agent saw, with all that is kept of it. */
export interface SeenFacts {
  readonly job: SeenJob
  readonly series: SeenSeries
  readonly record: JobRecord
}

/** Whether it is called as the agent calls jobs. */
export const isSeenRef = (typed: string): boolean => parseJobRef(typed) !== undefined

/** The job that is meant: of the same name on one host, the one that was seen last. */
export async function findSeenJob(reader: NodeQuestions, typed: string): Promise<SeenFacts> {
  const ref = parseJobRef(typed)
  const found = ref === undefined ? [] : await matching(reader, ref)
  const [job] = found
  if (job === undefined)
    throw new UserError(
      `the agent saw no job "${typed}". \`jobmeter ps --from 7d\` prints what jobs are called`,
    )
  const hosts = new Set(found.map(({ host }) => host))
  if (hosts.size > 1) {
    const names = [...hosts].slice(0, 5).map((host) => fullRefOf({ ...job, host }))
    throw new UserError(`"${typed}" ran on ${hosts.size} hosts. Name one: ${names.join(', ')}`)
  }
  return factsOf(reader, job)
}

async function factsOf(reader: NodeQuestions, job: SeenJob): Promise<SeenFacts> {
  const series = await reader.series({ rowId: job.rowId, seenSeconds: job.seenSeconds })
  return { job, series, record: seenRecord(job, series.rounds) }
}

/** Their ids are long, and printed shortened. */
const shortened: readonly JobKind[] = ['container', 'attempt']

/** Whole ids first, then the beginnings of long ones. */
async function matching(reader: NodeQuestions, ref: JobRef): Promise<SeenJob[]> {
  if ('rowId' in ref) return reader.jobs({ rowId: ref.rowId })
  for (const one of [ref, withHost(ref)]) {
    if (one === undefined || 'rowId' in one) continue
    const place = { kinds: [one.kind], ...(one.host === null ? {} : { hosts: [one.host] }) }
    const whole = await reader.jobs({ ...place, id: one.id })
    if (whole.length > 0) return whole
    if (!shortened.includes(one.kind)) continue
    const begins = await reader.jobs({ ...place, idStart: one.id })
    const ids = new Set(begins.map(({ id }) => id))
    if (ids.size === 1) return begins
    if (ids.size > 1)
      throw new UserError(`${ids.size} jobs are called "${ref.kind}:${ref.id}…". Type more of it`)
  }
  return []
}

const commandSet = 'command:'

/** Whether a set of runs is of jobs that the agent saw. */
export const isSeenSet = (typed: string): boolean =>
  typed.startsWith(commandSet) || isSeenRef(typed)

/** Runs for the scaling report: one job, or all that are over of one command that asked for CPUs. */
export async function seenRuns(reader: NodeQuestions, typed: string): Promise<JobRecord[]> {
  const command = typed.startsWith(commandSet) ? typed.slice(commandSet.length) : undefined
  if (command === undefined) return [timed(await findSeenJob(reader, typed))]
  const alike = await reader.jobs({ commands: [command], state: 'completed' })
  const jobs = alike.filter((job) => job.command === command && job.reservation?.cpus)
  if (jobs.length > 0) {
    const records: JobRecord[] = []
    for (const job of jobs) records.push(timed(await factsOf(reader, job)))
    return records
  }
  throw new UserError(
    `the agent saw no job of the command "${command}" that is over and asked for CPUs. See jobmeter ps --command ${command} --from 90d`,
  )
}

/** How long it took counts here, with what nobody saw of it. */
const timed = ({ job, record }: SeenFacts): JobRecord => ({
  ...record,
  durationSeconds: jobShares(job).runtimeSeconds,
})
