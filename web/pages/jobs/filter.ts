import { unsuccessful } from '../../../src/model/outcome.ts'
import { inSmallLetters, isSought } from '../../../src/model/search-words.ts'
import type { JobBrief } from '../../../src/server/schemas/job.ts'
import { momentSeconds } from '../../moment.ts'

/** What a list of jobs may be narrowed by, as the address of the page and the server both call it. */
export const filterNames = ['search', 'status', 'user', 'name', 'tag', 'tool', 'since'] as const
export type FilterName = (typeof filterNames)[number]
export type Filter = Readonly<Partial<Record<FilterName, string>>>

export function filterIn(query: URLSearchParams): Filter {
  const given = filterNames.map((name) => [name, query.get(name) ?? ''] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

/** Statuses by which people look for jobs. */
export const statusChoices: readonly (readonly [value: string, text: string])[] = [
  ['', 'any status'],
  ['running', 'running'],
  ['success', 'success'],
  [unsuccessful.join(','), 'did not succeed'],
  ['failed', 'failed'],
  ['timeout', 'timeout'],
  ['error', 'error'],
  ['cancelled', 'cancelled'],
  ['interrupted', 'interrupted'],
]

export const sinceChoices: readonly (readonly [value: string, text: string])[] = [
  ['', 'any time'],
  ['1h', 'last hour'],
  ['today', 'today'],
  ['24h', 'last 24 hours'],
  ['7d', 'last 7 days'],
  ['30d', 'last 30 days'],
]

/** Whether a job that an event told of belongs to the list; where that is in doubt, only the server knows. */
export type Fit = 'in' | 'out' | 'in doubt'

/** A job that began so lately is in every list that begins in the past. */
const lateSeconds = 30

/** By the same rules as the server. What it looks for is also in commands, which events do not tell. */
export function fitIn(filter: Filter): (job: JobBrief, wasRead: boolean) => Fit {
  const values = (name: FilterName): string[] | undefined => filter[name]?.split(',')
  const isOne = (name: FilterName, ...found: readonly string[]): boolean =>
    values(name)?.some((value) => found.includes(value)) ?? true
  const isNamed = (name: FilterName, found: string): boolean =>
    values(name)?.some((value) => inSmallLetters(value) === inSmallLetters(found)) ?? true
  return (job, wasRead) => {
    const isLike =
      isOne('status', job.status) &&
      isOne('tag', ...job.tags) &&
      isNamed('user', job.user) &&
      isNamed('name', job.name) &&
      isNamed('tool', job.tool)
    if (!isLike) return 'out'
    // The words of a job and when it began stay as they were when the server found it.
    if (wasRead) return 'in'
    return isFound(job, filter.search) && isLate(job, filter.since) ? 'in' : 'in doubt'
  }
}

export const belongsTo =
  (filter: Filter) =>
  (job: JobBrief, wasRead: boolean): boolean =>
    fitIn(filter)(job, wasRead) === 'in'

const isFound = ({ task_id: taskId, ...job }: JobBrief, search: string | undefined): boolean =>
  search === undefined || isSought({ ...job, taskId, command: [] }, search)

const isLate = ({ start_time: start }: JobBrief, since: string | undefined): boolean =>
  since === undefined || (momentSeconds(start) ?? Infinity) > Date.now() / 1000 - lateSeconds
