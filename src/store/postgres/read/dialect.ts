import type { Dialect } from '../../ledger/dialect.ts'
import { within } from '../../ledger/records/record-conditions.ts'

const folded = (text: string): string => `lower(${text} COLLATE "C")`

/** A tag in a list as `JSON.stringify` writes it: two tags may have between them what looks like a third. */
const amongTags = (tag: string): string =>
  `^\\[("([^"\\\\]|\\\\.)*",)*${plain(JSON.stringify(tag))}[],]`

/** A regular expression that fits just this text. */
const plain = (text: string): string => text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)

/** How PostgreSQL says it. Its columns have the collation "C", which folds letters of ASCII alone, as SQLite does. */
export const postgresDialect: Dialect = {
  // What a job is stands in each of its attempts: the planner makes one table of these two.
  attempts: `
    FROM attempt CROSS JOIN LATERAL (
      SELECT attempt.job_name AS name, attempt.job_tool AS tool, attempt.job_script AS script,
        attempt.job_params AS params, attempt.job_tags AS tags, attempt.job_command AS command,
        attempt.job_working_directory AS working_directory, attempt.job_cpus AS cpus,
        attempt.job_memory_bytes AS memory_bytes, attempt.job_gpus AS gpus,
        attempt.job_runtime_seconds AS runtime_seconds, attempt.workflow_id AS workflow_id
    ) AS job`,
  workflowAttempts:
    'FROM job JOIN attempt ON attempt.job_id = job.id AND attempt.workflow_id = job.workflow_id',
  storedUsage: `
    coalesce((SELECT form FROM usage_form WHERE id = attempt.form_id) || chr(10) || attempt.usage, attempt.usage)`,
  isRunning: "attempt.status = 'running'",
  isListed:
    'attempt.id IN (SELECT value::bigint FROM json_array_elements_text(?::json) AS listed (value))',
  baselines: `
    coalesce((
      SELECT json_agg(DISTINCT name COLLATE "C")::text
      FROM (SELECT name FROM baseline WHERE benchmark_id = benchmark.id LIMIT 1000) AS saved), '[]')`,
  inAnyCase: (column, marks) => `${folded(column)} IN (${marks.map(folded).join(', ')})`,
  isLike: (column) => `${column} ILIKE ? ESCAPE '\\'`,
  // The first part is for the index of words, and spares most lists the second.
  hasTag: (tags) => [
    `(${tags.map(() => `(job.tags ILIKE ? ESCAPE '\\' AND job.tags ~ ?)`).join(' OR ')})`,
    ...tags.flatMap((tag) => [within(JSON.stringify(tag)), amongTags(tag)]),
  ],
}
