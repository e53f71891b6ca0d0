import type { WorkflowHead } from '../../../model/workflow-head.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { amountOrNull, instant, number, numberOrNull, text, type Row } from '../../sqlite/row.ts'
import type { RunRow } from '../workflow-store.ts'
import { listsOfWorkflow, NameListReader } from './name-lists.ts'
import { runsOf } from './run-table.ts'
import { workflowRows } from './workflow-row.ts'

/** A job of a workflow that waits or runs. */
export interface JobToCome {
  readonly name: string
  readonly cpus: number | null
  readonly runtimeSeconds: number | null
  /** Seconds since 1970; null while it waits. */
  readonly startedAt: number | null
  /** Names of jobs; those who wait for the same share one list. */
  readonly waitsFor: readonly string[]
}

/** A job of a workflow that has succeeded. */
export interface JobDone {
  readonly name: string
  readonly cpus: number | null
  readonly runtimeSeconds: number | null
  readonly startedAt: number
  readonly durationSeconds: number
}

// What a job asks for is in columns of their own only when it has run.
const asked = `
  definition ->> '$.requirements.cpus' AS cpus,
  definition ->> '$.requirements.runtimeSeconds' AS runtime_seconds`

const jobsToCome = `
  SELECT name, ${asked}, definition -> '$.dependsOn' AS depends_on,
    CASE state WHEN 'running' THEN (
      SELECT started_at FROM attempt WHERE job_id = job.id AND number = attempt_count) END AS started_at
  FROM job WHERE workflow_id = ? AND position IS NOT NULL AND state IN ('waiting', 'running')`

// By the index of starts: the latest are enough, and a workflow may have a hundred thousand.
const jobsDone = `
  SELECT name, ${asked}, attempt.started_at, attempt.duration_seconds
  FROM attempt CROSS JOIN job ON job.id = attempt.job_id
  WHERE attempt.started_at >= ? AND attempt.status = 'success' AND attempt.duration_seconds IS NOT NULL
    AND job.workflow_id = ? AND job.position IS NOT NULL
  ORDER BY attempt.started_at DESC LIMIT ?`

/** Workflows in a ledger that others write to. */
export class WorkflowWatch {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The highest id of a workflow that is there; 0 where there is none. */
  newestId(): number {
    const row = this.#connection.row('SELECT coalesce(max(id), 0) AS id FROM workflow')
    return number(row ?? {}, 'id')
  }

  head(workflowId: number): WorkflowHead | undefined {
    return workflowRows(this.#connection, workflowId)[0]
  }

  runs(workflowId: number): RunRow[] {
    return runsOf(this.#connection, workflowId)
  }

  /** Workflows whose latest run has not ended, as far as the ledger knows. */
  unended(): number[] {
    const sql = `
      SELECT workflow_id FROM run AS latest WHERE ended_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM run WHERE workflow_id = latest.workflow_id AND run_id > latest.run_id)`
    return this.#connection.rows(sql).map((row) => number(row, 'workflow_id'))
  }

  /** How many jobs are in which state, as one word for each workflow after this one: it changes when one of them does. */
  stateMarks(afterId: number): ReadonlyMap<number, string> {
    const sql = `
      SELECT workflow_id, group_concat(state || ' ' || jobs) AS mark FROM (
        SELECT workflow_id, state, count(*) AS jobs FROM job
        WHERE workflow_id > ? AND workflow_id IS NOT NULL AND position IS NOT NULL
        GROUP BY workflow_id, state)
      GROUP BY workflow_id`
    const rows = this.#connection.rows(sql, afterId)
    return new Map(rows.map((row) => [number(row, 'workflow_id'), text(row, 'mark')]))
  }

  jobsToCome(workflowId: number): JobToCome[] {
    const lists = new NameListReader(this.#connection.rows(listsOfWorkflow, workflowId))
    const known = new Map<string, readonly string[]>()
    return this.#connection.mapSound(jobsToCome, [workflowId], (row) => {
      const stored = text(row, 'depends_on')
      const waitsFor = known.get(stored) ?? lists.restore(JSON.parse(stored))
      known.set(stored, waitsFor)
      return { ...askedOf(row), startedAt: numberOrNull(row, 'started_at'), waitsFor }
    })
  }

  /** Jobs that started since then and succeeded; the latest, at most so many. */
  jobsDone(workflowId: number, since: number, most: number): JobDone[] {
    return this.#connection.mapSound(jobsDone, [since, workflowId, most], (row) => ({
      ...askedOf(row),
      startedAt: instant(row, 'started_at'),
      durationSeconds: amountOrNull(row, 'duration_seconds') ?? 0,
    }))
  }
}

const askedOf = (row: Row): Pick<JobToCome, 'name' | 'cpus' | 'runtimeSeconds'> => ({
  name: text(row, 'name'),
  cpus: amountOrNull(row, 'cpus'),
  runtimeSeconds: amountOrNull(row, 'runtime_seconds'),
})
