import type { ListedJob, ListPlace } from '../../model/listed-job.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { RecordQuery } from '../../store/ledger/store.ts'
import { UserError } from '../user-error.ts'

/** Which jobs are asked for. Tools, names and users are taken in any case. */
export interface JobListQuery extends Omit<RecordQuery, 'limit' | 'inAnyCase' | 'owners'> {
  /** At most 500. */
  readonly limit: number
  /** Where the page before ended, as it was told there. */
  readonly cursor?: string
  /** Whose jobs may be seen; null: everybody's. */
  readonly owners: readonly string[] | null
}

export interface JobList {
  readonly jobs: readonly ListedJob[]
  /** null if there are no others. */
  readonly nextCursor: string | null
}

const mostJobs = 500
/** Nobody types more; SQLite refuses patterns of 50,000. */
const mostSoughtLetters = 500

/** A page of the jobs, newest first. */
export async function listJobs(
  { jobs }: Pick<LedgerReader, 'jobs'>,
  { limit, cursor, owners, search, ...filters }: JobListQuery,
): Promise<JobList> {
  if (!Number.isInteger(limit) || limit < 1 || limit > mostJobs)
    throw new UserError(`limit: expected a whole number from 1 to ${mostJobs}`, 'usage')
  if (search !== undefined && search.length > mostSoughtLetters)
    throw new UserError(`search: expected at most ${mostSoughtLetters} letters`, 'usage')
  const query = {
    ...filters,
    ...(search === undefined || search === '' ? {} : { search }),
    ...(owners === null ? {} : { owners }),
    inAnyCase: true,
  }
  const after = cursor === undefined ? null : placeOf(cursor)
  // One more than is shown tells whether there is another page.
  const found = await jobs.page({ ...query, limit: limit + 1 }, after)
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    jobs: shown.map(({ job }) => job),
    nextCursor: found.length > limit && last !== undefined ? cursorOf(last.place) : null,
  }
}

/** Infinity is null in JSON. */
const cursorOf = ({ startedAt, attemptId, taskId }: ListPlace): string =>
  Buffer.from(JSON.stringify([startedAt, attemptId, taskId])).toString('base64url')

function placeOf(cursor: string): ListPlace {
  const [startedAt, attemptId, taskId] = parsed(cursor)
  if (
    typeof startedAt !== 'number' ||
    !(attemptId === null || Number.isSafeInteger(attemptId)) ||
    typeof taskId !== 'string'
  )
    throw new UserError('cursor: not one that a list of jobs has given', 'usage')
  return { startedAt, attemptId: typeof attemptId === 'number' ? attemptId : Infinity, taskId }
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
