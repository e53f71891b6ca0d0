import type { BriefKey, BriefRecord } from '../../model/brief-record.ts'
import type { OutcomeTally } from '../../model/outcome-tally.ts'
import type { JobRecord } from '../../model/record.ts'
import type { DeviceSeries, Series } from '../../model/series.ts'
import type { UtilizationRow } from '../../model/utilization-row.ts'
import type { WorkflowHead } from '../../model/workflow-head.ts'
import type { SeriesQuery, TimeRange } from '../series/series.ts'
import type { Ledger } from './ledger.ts'
import type { RecordOrder, RecordQuery } from './store.ts'
import type {
  BriefResult,
  JobPlace,
  JobQuery,
  ResultQuery,
  ResultRow,
  RunRow,
  StoredWorkflow,
} from './workflow-store.ts'

/**
 * Answers questions about a ledger, wherever it is kept. Reading changes nothing, and every answer is a promise. Jobs are
 * always recorded on their own machine (`Ledger`), without waiting. Every engine passes `test/contracts/reader.ts`.
 */
export interface LedgerReader {
  /** The name of the ledger in messages, and in the series files that belong to it. */
  readonly path: string
  readonly jobs: JobsReader
  readonly workflows: WorkflowsReader
  close(): Promise<void>
}

/** Each method answers like the method of the same name in `Store`. */
export interface JobsReader {
  find(query: RecordQuery): Promise<JobRecord[]>
  /** In portions, so that constant memory is enough; records written in the meantime may be included. */
  each(query: RecordQuery, order: RecordOrder): AsyncIterable<readonly JobRecord[]>
  findBrief<Key extends BriefKey>(
    query: RecordQuery,
    keys: readonly Key[],
  ): Promise<BriefRecord<Key>[]>
  count(query: RecordQuery): Promise<number>
  tally(): Promise<OutcomeTally[]>
  findByPrefix(prefix: string): Promise<JobRecord[]>
  /** Reads the same samples as `series(taskId)` of `Store`. */
  series(taskId: string, query?: SeriesQuery): Promise<Series>
  devices(taskId: string, range?: TimeRange): Promise<readonly DeviceSeries[]>
}

/** Each method answers like the method of the same name in `WorkflowStore`. */
export interface WorkflowsReader {
  newestWorkflowId(): Promise<number | undefined>
  listWorkflows(): Promise<WorkflowHead[]>
  findWorkflow(workflowId: number): Promise<StoredWorkflow | undefined>
  findWorkflowRow(workflowId: number): Promise<WorkflowHead | undefined>
  findJobs(query: JobQuery): Promise<JobPlace[]>
  runs(workflowId: number): Promise<RunRow[]>
  results(workflowId: number, query: ResultQuery): Promise<ResultRow[]>
  briefResults<Key extends BriefKey, T>(
    workflowId: number,
    query: ResultQuery,
    keys: readonly Key[],
    make: (result: BriefResult<Key>) => T,
  ): Promise<T[]>
  utilizationRows(workflowId: number, query: ResultQuery): Promise<UtilizationRow[]>
}

const portion = 256

/** A reader for a ledger that this process has open; it answers immediately. */
export function readerOf(ledger: Ledger): LedgerReader {
  const { path, jobs, workflows } = ledger
  return {
    path,
    jobs: {
      find: async (query) => jobs.find(query),
      async *each(query, order) {
        let records: JobRecord[] = []
        for (const record of jobs.each(query, order)) {
          if (records.push(record) < portion) continue
          yield records
          records = []
        }
        if (records.length > 0) yield records
      },
      findBrief: async (query, keys) => jobs.findBrief(query, keys),
      count: async (query) => jobs.count(query),
      tally: async () => jobs.tally(),
      findByPrefix: async (prefix) => jobs.findByPrefix(prefix),
      series: async (taskId, query) => jobs.series(taskId).read(query),
      devices: async (taskId, range) => jobs.series(taskId).devices(range),
    },
    workflows: {
      newestWorkflowId: async () => workflows.newestWorkflowId(),
      listWorkflows: async () => workflows.listWorkflows(),
      findWorkflow: async (workflowId) => workflows.findWorkflow(workflowId),
      findWorkflowRow: async (workflowId) => workflows.findWorkflowRow(workflowId),
      findJobs: async (query) => workflows.findJobs(query),
      runs: async (workflowId) => workflows.runs(workflowId),
      results: async (workflowId, query) => workflows.results(workflowId, query),
      briefResults: async (workflowId, query, keys, make) =>
        workflows.briefResults(workflowId, query, keys, make),
      utilizationRows: async (workflowId, query) => workflows.utilizationRows(workflowId, query),
    },
    close: async () => ledger.close(),
  }
}
