import { formAndValues } from './records/usage-form.ts'

/** A condition with its values. */
export type Alternative = readonly [condition: string, ...values: string[]]

/** What the engines of a ledger say in words of their own. All else of a question is the same for each of them. */
export interface Dialect {
  /** Attempts, each with what its job is: `FROM` and the two as `attempt` and `job`. */
  readonly attempts: string
  /** The same for jobs of workflows, which have a place in theirs as well. */
  readonly workflowAttempts: string
  /** The usage of an attempt, as one text. */
  readonly storedUsage: string
  /** Holds for an attempt that runs. */
  readonly isRunning: string
  /** Holds for attempts whose ids are in a list that is given as JSON. */
  readonly isListed: string
  /** The names of the baselines that a benchmark is, as a JSON list in their order. */
  readonly baselines: string
  /** `column IN marks`, whatever the case of ASCII letters. */
  readonly inAnyCase: (column: string, marks: readonly string[]) => string
  /** Like a pattern in which a backslash takes `%` and `_` as they are, whatever the case of ASCII letters. */
  readonly isLike: (column: string) => string
  /** One of these is among the tags of the job. */
  readonly hasTag: (tags: readonly string[]) => Alternative
}

export const marksOf = (values: readonly unknown[]): string[] => values.map(() => '?')

export const sqliteDialect: Dialect = {
  attempts: 'FROM attempt JOIN job ON job.id = attempt.job_id',
  // From the jobs in their order to the attempts of each in theirs: both by an index, so nothing is sorted. SQLite has to
  // be told that a place is one job's: those that a mended file no longer has share none.
  workflowAttempts: 'FROM job CROSS JOIN attempt ON attempt.job_id = job.id',
  // It has a table of its own: with it a row of `attempt` fills a page, and whoever goes through 100,000 of them reads as
  // many pages. Builds that wrote version 4 put it into the row itself, and one that still runs does so after the file
  // was upgraded.
  storedUsage: `
  coalesce(attempt.usage, (
    SELECT coalesce(${formAndValues('form', 'usage')}, usage)
    FROM attempt_usage LEFT JOIN usage_form ON usage_form.id = form_id WHERE attempt_id = attempt.id))`,
  // Said in these words, it is found by the index of what runs, and not by looking at every attempt.
  isRunning: "attempt.id IN (SELECT id FROM attempt WHERE status = 'running')",
  isListed: 'attempt.id IN (SELECT value FROM json_each(?))',
  baselines: '(SELECT json_group_array(name) FROM baseline WHERE benchmark_id = benchmark.id)',
  inAnyCase: (column, marks) => `${column} COLLATE NOCASE IN (${marks.join(', ')})`,
  isLike: (column) => `${column} LIKE ? ESCAPE '\\'`,
  // Taking 100,000 lists of tags apart takes twice as long as looking whether the text is in them.
  hasTag: (tags) => [
    `(${tags.map(() => 'instr(job.tags, ?) > 0').join(' OR ')}) AND
     EXISTS (SELECT 1 FROM json_each(job.tags) WHERE json_each.value IN (${marksOf(tags).join(', ')}))`,
    ...tags.map((tag) => JSON.stringify(tag)),
    ...tags,
  ],
}
