import type { Connection } from '../sqlite/connection.ts'
import { markOf } from '../sqlite/mark-row.ts'
import { number, numberOrNull, text, type Row } from '../sqlite/row.ts'
import { MalformedRow } from '../errors.ts'
import type { Values } from '../postgres/write/batch.ts'
import { FormFinder } from './form-finder.ts'

/** A record as the local ledger has it. */
export interface LocalAttempt {
  readonly attemptId: number
  readonly taskId: string
  readonly status: string
  readonly user: string
  readonly startedAt: number
  readonly jobId: number
  readonly number: number
  readonly workflowId: number | null
  readonly values: Values
  readonly form?: string
}

const jobFacts = [
  'name',
  'tool',
  'script',
  'params',
  'tags',
  'command',
  'working_directory',
  'cpus',
  'memory_bytes',
  'gpus',
  'runtime_seconds',
]

const select = `
  SELECT attempt.*, coalesce(attempt.usage, attempt_usage.usage) AS stored_usage, usage_form.form,
    EXISTS (SELECT 1 FROM mark WHERE attempt_id = attempt.id) AS has_marks,
    job.id AS source_job_id, job.workflow_id AS source_workflow_id,
    ${jobFacts.map((name) => `job.${name} AS job_${name}`).join(', ')}
  FROM attempt JOIN job ON job.id = attempt.job_id
    LEFT JOIN attempt_usage ON attempt_usage.attempt_id = attempt.id
    LEFT JOIN usage_form ON usage_form.id = attempt_usage.form_id`

/** How far a ledger was sent: up to which attempt, which of those ran then, and when that was. */
export interface SentSoFar {
  readonly attemptId: number
  readonly following: readonly string[]
  readonly since: number
}

/** What is not sent yet: records, the samples that the ledger has, and when the first of it came. */
export interface Waiting {
  readonly records: number
  readonly samples: number
  readonly since: number | null
  /** Of attempts, how many run. */
  readonly running: number
}

/** Enough of an attempt to see whether it has changed. */
export interface Glimpse {
  readonly status: string
  /** Changes when it gets samples or marks, and when it begins where it waited. */
  readonly mark: string
}

/** Whether an attempt has samples. */
export const hasRows = (mark: string): boolean => !mark.startsWith('0 0 ')

const glimpses = `
  SELECT task_id, status,
    coalesce((SELECT max(id) FROM sample WHERE attempt_id = attempt.id), 0) || ' '
      || coalesce((SELECT max(id) FROM device_sample WHERE attempt_id = attempt.id), 0) || ' '
      || coalesce((SELECT max(id) FROM mark WHERE attempt_id = attempt.id), 0)
      || coalesce(' ' || reason, '') AS seen
  FROM attempt WHERE task_id IN (SELECT value FROM json_each(?))`

/** `came`: of a record that is still to be sent. */
const waiting = `
  WITH looked AS (
    SELECT id, status, coalesce(ended_at, started_at) AS came, -1 AS after FROM attempt WHERE id > ?1
    UNION ALL SELECT id, status, CASE WHEN status <> 'running' THEN ended_at END, ?3 FROM attempt
    WHERE id <= ?1 AND task_id IN (SELECT value FROM json_each(?2))),
  samples AS (
    SELECT timestamp FROM looked JOIN sample ON attempt_id = looked.id WHERE coalesce(timestamp, 0) > after
    UNION ALL
    SELECT timestamp FROM looked JOIN device_sample ON attempt_id = looked.id WHERE coalesce(timestamp, 0) > after)
  SELECT (SELECT count(*) FROM looked WHERE status = 'running') AS running,
    (SELECT count(came) FROM looked) AS records, (SELECT count(*) FROM samples) AS samples,
    (SELECT min(came) FROM (SELECT came FROM looked UNION ALL SELECT timestamp FROM samples)) AS since`

/** Records of a local ledger, to be sent. */
export class LocalAttempts {
  readonly #connection: Connection
  readonly #forms = new FormFinder()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  after(attemptId: number, limit: number): LocalAttempt[] {
    return this.#rows('WHERE attempt.id > ? ORDER BY attempt.id LIMIT ?', attemptId, limit)
  }

  byTask(taskIds: readonly string[]): LocalAttempt[] {
    if (taskIds.length === 0) return []
    const which = 'WHERE attempt.task_id IN (SELECT value FROM json_each(?)) ORDER BY attempt.id'
    return this.#rows(which, JSON.stringify(taskIds))
  }

  /** These attempts, as far as they are still there. */
  glimpses(taskIds: readonly string[]): Map<string, Glimpse> {
    if (taskIds.length === 0) return new Map()
    const rows = this.#connection.rows(glimpses, JSON.stringify(taskIds))
    return new Map(
      rows.map((row) => [
        text(row, 'task_id'),
        { status: text(row, 'status'), mark: text(row, 'seen') },
      ]),
    )
  }

  /** All attempts of these jobs. */
  ofJobs(jobIds: readonly number[]): LocalAttempt[] {
    if (jobIds.length === 0) return []
    const which = 'WHERE attempt.job_id IN (SELECT value FROM json_each(?)) ORDER BY attempt.id'
    return this.#rows(which, JSON.stringify(jobIds))
  }

  /** The task that has this id; undefined where none has. */
  taskOf(attemptId: number): string | undefined {
    const row = this.#connection.row('SELECT task_id FROM attempt WHERE id = ?', attemptId)
    return row === undefined ? undefined : text(row, 'task_id')
  }

  /** The highest id that an attempt ever had. */
  newestId(): number {
    const row = this.#connection.row("SELECT seq FROM sqlite_sequence WHERE name = 'attempt'")
    return row === undefined ? 0 : number(row, 'seq')
  }

  /** What the team does not have yet, as whoever sent last has noted it. */
  waiting({ attemptId, following, since }: SentSoFar): Waiting {
    const row = this.#connection.row(waiting, attemptId, JSON.stringify(following), since) ?? {}
    return {
      records: number(row, 'records'),
      samples: number(row, 'samples'),
      since: numberOrNull(row, 'since'),
      running: number(row, 'running'),
    }
  }

  #rows(which: string, ...values: (string | number)[]): LocalAttempt[] {
    const rows = this.#connection.rows(`${select} ${which}`, ...values)
    return this.#connection.guard(() => rows.map((row) => this.#attemptOf(row)))
  }

  #attemptOf(row: Row): LocalAttempt {
    const attemptId = number(row, 'id')
    const usage = this.#forms.usageOf(row['stored_usage'] ?? null, row['form'] ?? null)
    return {
      attemptId,
      taskId: text(row, 'task_id'),
      status: text(row, 'status'),
      user: text(row, 'user'),
      startedAt: number(row, 'started_at'),
      jobId: number(row, 'source_job_id'),
      number: number(row, 'number'),
      workflowId: numberOrNull(row, 'source_workflow_id'),
      values: {
        ...row,
        usage: usage.text,
        marks: number(row, 'has_marks') === 1 ? this.#marksOf(attemptId) : null,
      },
      ...(usage.form === undefined ? {} : { form: usage.form }),
    }
  }

  /** As JSON; null where its program told nothing. */
  #marksOf(attemptId: number): string | null {
    const sql = 'SELECT * FROM mark WHERE attempt_id = ? ORDER BY timestamp, id'
    const marks = this.#connection.rows(sql, attemptId).flatMap((row) => {
      try {
        return [markOf(row)]
      } catch (error) {
        if (error instanceof MalformedRow) return []
        throw error
      }
    })
    return marks.length === 0 ? null : JSON.stringify(marks)
  }
}
