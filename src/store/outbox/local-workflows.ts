import { createHash } from 'node:crypto'
import type { SQLOutputValue } from 'node:sqlite'
import type { Values, WorkflowRows } from '../postgres/write/batch.ts'
import type { Connection } from '../sqlite/connection.ts'
import { number, text } from '../sqlite/row.ts'

const jobs = `
  SELECT id AS source_job_id, position, state, attempt_count, shell_command, definition, name, tool, script, params, tags,
    command, working_directory, cpus, memory_bytes, gpus, runtime_seconds
  FROM job`

/** One word for each workflow that changes when a run, its owner or the number of jobs in a state does: cheap to look at. */
const glances = `
  SELECT workflow.id, coalesce(owner_host || owner_pid || owner_start_ticks, '') || ' '
    || coalesce((SELECT group_concat(run_id || ' ' || coalesce(ended_at, '')) FROM run WHERE workflow_id = workflow.id), '')
    || ' ' || coalesce((SELECT group_concat(state || ' ' || found) FROM (
      SELECT state, count(*) AS found FROM job
      WHERE workflow_id = workflow.id AND position IS NOT NULL GROUP BY state)), '') AS glance
  FROM workflow`

const recent = `
  WHERE id > (SELECT max(id) - 50 FROM workflow) OR id IN (SELECT value FROM json_each(?))`

/** What is sent of a workflow, and what is to be remembered of it. */
export interface ReadWorkflow {
  readonly rows: WorkflowRows
  readonly mark: string
  /** A mark of each job, by its id. */
  readonly jobMarks: ReadonlyMap<number, string>
}

/** Workflows of a local ledger, to be sent. */
export class LocalWorkflows {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Of all, or of the newest ones and these. */
  glances(only?: readonly number[]): Map<number, string> {
    const rows =
      only === undefined
        ? this.#connection.rows(`${glances} ORDER BY id`)
        : this.#connection.rows(`${glances} ${recent} ORDER BY id`, JSON.stringify(only))
    return new Map(rows.map((row) => [number(row, 'id'), text(row, 'glance')]))
  }

  /** All of it, with those of its jobs that are not as they were. Undefined where it is gone. */
  read(workflowId: number, known: ReadonlyMap<number, string>): ReadWorkflow | undefined {
    const workflow = this.#workflow(workflowId)
    if (workflow === undefined) return undefined
    const runs = this.#runs(workflowId)
    const jobMarks = new Map<number, string>()
    const changed: Values[] = []
    const whole = createHash('sha1').update(textOf(workflow)).update(runs.map(textOf).join('\n'))
    for (const row of this.#connection.rows(
      `${jobs} WHERE workflow_id = ? ORDER BY id`,
      workflowId,
    )) {
      const jobId = number(row, 'source_job_id')
      const mark = createHash('sha1').update(textOf(row)).digest('base64')
      jobMarks.set(jobId, mark)
      whole.update(mark)
      if (known.get(jobId) !== mark) changed.push(row)
    }
    const mark = whole.digest('hex')
    const rows = {
      workflow: { ...workflow, sent_mark: mark },
      runs,
      jobs: changed,
      ...(changed.length > 0 ? { nameLists: this.#nameLists(workflowId) } : {}),
    }
    return { rows, mark, jobMarks }
  }

  /** Only these of its jobs: the rest is still to be compared, so its mark is left empty. */
  readSome(workflowId: number, jobIds: readonly number[]): WorkflowRows | undefined {
    const workflow = this.#workflow(workflowId)
    if (workflow === undefined) return undefined
    const some = this.#connection.rows(
      `${jobs} WHERE workflow_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY id`,
      workflowId,
      JSON.stringify(jobIds),
    )
    return { workflow: { ...workflow, sent_mark: '' }, runs: this.#runs(workflowId), jobs: some }
  }

  #workflow(workflowId: number): Values | undefined {
    const sql = 'SELECT workflow.*, id AS source_workflow_id FROM workflow WHERE id = ?'
    return this.#connection.row(sql, workflowId)
  }

  #runs(workflowId: number): Values[] {
    const sql = 'SELECT * FROM run WHERE workflow_id = ? ORDER BY run_id'
    return this.#connection.rows(sql, workflowId)
  }

  #nameLists(workflowId: number): Values[] {
    const sql = 'SELECT id, names FROM name_list WHERE workflow_id = ? ORDER BY id'
    return this.#connection.rows(sql, workflowId)
  }
}

const textOf = (row: Values): string => JSON.stringify(Object.values(row), withBigints)

const withBigints = (_: string, value: SQLOutputValue): unknown =>
  typeof value === 'bigint' ? String(value) : value
