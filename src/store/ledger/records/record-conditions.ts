import { isOpen, type AttemptStatus } from '../../../model/outcome.ts'
import { soughtForms } from '../../../model/search-words.ts'
import { marksOf, type Alternative, type Dialect } from '../dialect.ts'
import type { RecordQuery, Several } from '../store.ts'

/** What rows of `attempt` joined with `job` must be like. All values are bound. */
export interface Conditions {
  readonly conditions: string[]
  readonly values: (string | number)[]
}

export function conditionsOf(query: RecordQuery, dialect: Dialect): Conditions {
  const found: Conditions = { conditions: [], values: [] }
  const add = (
    given: Several<string | number> | undefined,
    condition: (marks: readonly string[]) => string,
  ): void => {
    if (given === undefined) return
    const values = [given].flat()
    // Nothing is one of none, and not every engine takes an empty list.
    found.conditions.push(values.length === 0 ? 'FALSE' : condition(marksOf(values)))
    found.values.push(...values)
  }
  const named = query.inAnyCase === true ? dialect.inAnyCase : isOneOf
  add(query.tool, (marks) => named('job.tool', marks))
  add(query.name, (marks) => named('job.name', marks))
  if (query.tag !== undefined) addAny(found, tagged([query.tag].flat(), dialect))
  add(query.host, (marks) => isOneOf('attempt.host', marks))
  add(query.owners, (marks) => isOneOf('attempt.user', marks))
  add(query.user, (marks) => named('attempt.user', marks))
  if (query.status !== undefined) addAny(found, standing([query.status].flat(), dialect))
  add(query.startedSince, () => 'attempt.started_at >= ?')
  add(query.startedBefore, () => 'attempt.started_at < ?')
  add(query.workingDirectory, () => 'job.working_directory = ?')
  add(query.jobId, () => 'attempt.job_id = ?')
  add(query.taskId, () => 'attempt.task_id = ?')
  if (query.search !== undefined)
    addAny(found, [
      ...wordsInJob(query.search, dialect),
      wordsInUser(query.search, dialect),
      startOfTaskId(query.search),
    ])
  if (query.origin === 'workflow') found.conditions.push('job.workflow_id IS NOT NULL')
  // Only attempts of workflows belong to a run, and the list of attempts has that without the job.
  if (query.origin === 'command') found.conditions.push('attempt.run_id IS NULL')
  return found
}

/** Attempts that stand so: see `statusOf`. */
export function standing(
  statuses: readonly AttemptStatus[],
  { isRunning }: Dialect,
): readonly Alternative[] {
  const ended = statuses.filter((status) => !isOpen(status))
  return [
    ...(ended.length === 0
      ? []
      : [[isOneOf('attempt.status', marksOf(ended)), ...ended] satisfies Alternative]),
    ...(statuses.includes('running') ? [[`(${isRunning} AND ${hasBegun})`] as const] : []),
    ...(statuses.includes('waiting') ? [[`(${isRunning} AND NOT ${hasBegun})`] as const] : []),
  ]
}

/** Of an open attempt. */
export const hasBegun = '(attempt.reason IS NULL)'

const tagged = (tags: readonly string[], { hasTag }: Dialect): Alternative[] =>
  tags.length === 0 ? [] : [hasTag(tags)]

const isOneOf = (column: string, marks: readonly string[]): string =>
  `${column} IN (${marks.join(', ')})`

function addAny(found: Conditions, alternatives: readonly Alternative[]): void {
  found.conditions.push(anyOf(alternatives))
  found.values.push(...valuesOf(alternatives))
}

/** One of them holds. */
export const anyOf = (alternatives: readonly Alternative[]): string =>
  alternatives.length === 0
    ? 'FALSE'
    : `(${alternatives.map(([condition]) => condition).join(' OR ')})`

export const valuesOf = (alternatives: readonly Alternative[]): string[] =>
  alternatives.flatMap(([, ...values]) => values)

/** Where a text may be found in a job. */
export function wordsInJob(search: string, { isLike }: Dialect): readonly Alternative[] {
  const { plain, inJson } = soughtForms(search)
  return [
    [isLike('job.name'), within(plain)],
    ...inJson.flatMap((form): Alternative[] => [
      [isLike('job.command'), within(form)],
      [isLike('job.tags'), within(form)],
    ]),
  ]
}

export const wordsInUser = (search: string, { isLike }: Dialect): Alternative => [
  isLike('attempt.user'),
  within(soughtForms(search).plain),
]

/** By its first digits: a range, so that an index finds it. Nothing sorts after U+10FFFF. */
export function startOfTaskId(search: string): Alternative {
  const { plain } = soughtForms(search)
  return ['(attempt.task_id >= ? AND attempt.task_id < ?)', plain, `${plain}\u{10ffff}`]
}

/** A pattern that fits what has this text in it. */
export const within = (text: string): string => `%${literal(text)}%`

const literal = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`)

export const where = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
