import type { BriefKey } from '../../../model/brief-record.ts'
import type { UtilizationRow } from '../../../model/utilization-row.ts'
import type { WorkflowHead } from '../../../model/workflow-head.ts'
import type { WorkflowsReader } from '../../ledger/ledger-reader.ts'
import type {
  BriefResult,
  EarlierQuery,
  JobPlace,
  JobQuery,
  RecentRun,
  ResultQuery,
  ResultRow,
  RunRow,
  StoredWorkflow,
} from '../../ledger/workflow-store.ts'
import { wholeRecord } from '../../ledger/records/record-row.ts'
import {
  attemptQuery,
  briefQuery,
  briefResultIn,
  earlierQuery,
  foundIn,
  resultIn,
} from '../../ledger/workflows/result-query.ts'
import { newestRuns, recentRunIn, runIn, runsOfWorkflow } from '../../ledger/workflows/run-table.ts'
import {
  jobRestorer,
  placeIn,
  placesQuery,
  storedWorkflow,
  workflowQueries,
} from '../../ledger/workflows/stored-workflow.ts'
import { utilizationColumns, utilizationIn } from '../../ledger/workflows/utilization-query.ts'
import { headQueries, newestWorkflow, workflowHeads } from '../../ledger/workflows/workflow-row.ts'
import { numberOrNull } from '../../sqlite/row.ts'
import { postgresDialect } from './dialect.ts'
import type { Questions } from './questions.ts'

/** Answers questions about all workflows of a team. */
export class TeamWorkflows implements WorkflowsReader {
  readonly #questions: Questions

  constructor(questions: Questions) {
    this.#questions = questions
  }

  async newestWorkflowId(): Promise<number | undefined> {
    const [row] = await this.#questions.rows(newestWorkflow)
    return row === undefined ? undefined : (numberOrNull(row, 'id') ?? undefined)
  }

  listWorkflows(): Promise<WorkflowHead[]> {
    return this.#heads()
  }

  async findWorkflowRow(workflowId: number): Promise<WorkflowHead | undefined> {
    return (await this.#heads(workflowId))[0]
  }

  async findWorkflow(workflowId: number): Promise<StoredWorkflow | undefined> {
    const questions = this.#questions
    const [head, [definition], lists] = await Promise.all([
      this.findWorkflowRow(workflowId),
      questions.rows(workflowQueries.definition, [workflowId]),
      questions.rows(workflowQueries.lists, [workflowId]),
    ])
    if (head === undefined || definition === undefined) return undefined
    return questions.made(async () => {
      const restore = jobRestorer(lists)
      const jobs = (await questions.rows(workflowQueries.jobs, [workflowId])).map(restore)
      return storedWorkflow(head, definition, jobs)
    })
  }

  findJobs(query: JobQuery): Promise<JobPlace[]> {
    const { sql, values } = placesQuery(query)
    return this.#questions.map(sql, values, placeIn)
  }

  runs(workflowId: number): Promise<RunRow[]> {
    return this.#questions.map(runsOfWorkflow, [workflowId], runIn)
  }

  recentRuns(endedSince: number, limit: number): Promise<RecentRun[]> {
    return this.#questions.map(newestRuns, [endedSince, limit], recentRunIn)
  }

  results(workflowId: number, query: ResultQuery): Promise<ResultRow[]> {
    const { sql, values } = attemptQuery(wholeRecord, workflowId, query, postgresDialect)
    return this.#questions.mapSound(sql, values, resultIn)
  }

  briefResults<Key extends BriefKey, T>(
    workflowId: number,
    query: ResultQuery,
    keys: readonly Key[],
    make: (result: BriefResult<Key>) => T,
  ): Promise<T[]> {
    const { sql, values } = briefQuery(workflowId, query, keys, postgresDialect)
    return this.#questions.mapSound(sql, values, (row) => make(briefResultIn(row, keys)))
  }

  async countEarlier(workflowId: number, query: EarlierQuery): Promise<number> {
    const { sql, values } = earlierQuery(workflowId, query, postgresDialect)
    const [found = 0] = await this.#questions.map(sql, values, foundIn)
    return found
  }

  utilizationRows(workflowId: number, query: ResultQuery): Promise<UtilizationRow[]> {
    const { sql, values } = attemptQuery(utilizationColumns, workflowId, query, postgresDialect)
    return this.#questions.mapSound(sql, values, utilizationIn)
  }

  async #heads(only?: number): Promise<WorkflowHead[]> {
    const { heads, tallies, values } = headQueries(only)
    const [rows, counted] = await Promise.all([
      this.#questions.rows(heads, values),
      this.#questions.rows(tallies, values),
    ])
    return this.#questions.made(async () => workflowHeads(rows, counted))
  }
}
