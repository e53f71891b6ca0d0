import type { BenchmarkHead } from '../../model/benchmark.ts'
import type { BriefKey, BriefRecord } from '../../model/brief-record.ts'
import type { CountedAttempt, CountedAttempts } from '../../model/counted-attempt.ts'
import type { JobInList, ListPlace } from '../../model/listed-job.ts'
import type { OutcomeTally } from '../../model/outcome-tally.ts'
import type { Mark } from '../../model/marks/mark.ts'
import type { JobRecord } from '../../model/record.ts'
import type { Columns, DeviceSeries, Series, SeriesColumns } from '../../model/series.ts'
import type { UtilizationRow } from '../../model/utilization-row.ts'
import type { WorkflowHead } from '../../model/workflow-head.ts'
import type { SeriesQuery, TimeRange } from '../series/series.ts'
import type { StoredBenchmarkRun } from './benchmark-store.ts'
import type { Ledger } from './ledger.ts'
import type { PageQuery, RecordOrder, RecordQuery } from './store.ts'
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
} from './workflow-store.ts'

/**
 * Answers questions about a ledger, wherever it is kept. Reading changes nothing, and every answer is a promise. Jobs are
 * always recorded on their own machine (`Ledger`), without waiting. Every engine passes `test/contracts/reader.ts`.
 *
 * @see readLedger
 */
export interface LedgerReader {
  /** The name of the ledger in messages, and in the series files that belong to it. */
  readonly path: string
  readonly jobs: JobsReader
  readonly workflows: WorkflowsReader
  readonly benchmarks: BenchmarksReader
  close(): Promise<void>
}

/**
 * Each method answers like the method of the same name in `Store`.
 *
 * @see readLedger
 */
export interface JobsReader {
  find(query: RecordQuery): Promise<JobRecord[]>
  /** In portions, so that constant memory is enough; records written in the meantime may be included. */
  each(query: RecordQuery, order: RecordOrder): AsyncIterable<readonly JobRecord[]>
  findBrief<Key extends BriefKey>(
    query: RecordQuery,
    keys: readonly Key[],
  ): Promise<BriefRecord<Key>[]>
  page(query: PageQuery, after: ListPlace | null): Promise<JobInList[]>
  count(query: RecordQuery): Promise<number>
  tally(owners?: readonly string[]): Promise<OutcomeTally[]>
  countedAfter(attemptId: number, limit: number): Promise<CountedAttempts>
  countedById(attemptIds: readonly number[]): Promise<CountedAttempt[]>
  findByPrefix(prefix: string): Promise<JobRecord[]>
  /**
   * Reads the same samples as `series(taskId)` of `Store`. `user`, here and below: whose, where several have sent a task of
   * this id to a team.
   */
  series(taskId: string, query?: SeriesQuery, user?: string): Promise<Series>
  /** The same column by column: for a series of any length. `columns` must have `elapsed_seconds`. */
  seriesColumns(
    taskId: string,
    columns: Columns,
    range?: TimeRange,
    user?: string,
  ): Promise<SeriesColumns>
  devices(taskId: string, range?: TimeRange, user?: string): Promise<readonly DeviceSeries[]>
  marks(taskId: string, user?: string): Promise<readonly Mark[]>
}

/**
 * Each method answers like the method of the same name in `WorkflowStore`.
 *
 * @see readLedger
 */
export interface WorkflowsReader {
  newestWorkflowId(): Promise<number | undefined>
  listWorkflows(): Promise<WorkflowHead[]>
  findWorkflow(workflowId: number): Promise<StoredWorkflow | undefined>
  findWorkflowRow(workflowId: number): Promise<WorkflowHead | undefined>
  findJobs(query: JobQuery): Promise<JobPlace[]>
  runs(workflowId: number): Promise<RunRow[]>
  recentRuns(endedSince: number, limit: number): Promise<RecentRun[]>
  results(workflowId: number, query: ResultQuery): Promise<ResultRow[]>
  briefResults<Key extends BriefKey, T>(
    workflowId: number,
    query: ResultQuery,
    keys: readonly Key[],
    make: (result: BriefResult<Key>) => T,
  ): Promise<T[]>
  countEarlier(workflowId: number, query: EarlierQuery): Promise<number>
  utilizationRows(workflowId: number, query: ResultQuery): Promise<UtilizationRow[]>
}

/** Each method answers like the method of the same name in `BenchmarkStore`. */
export interface BenchmarksReader {
  list(): Promise<BenchmarkHead[]>
  find(benchmarkId: number): Promise<BenchmarkHead | undefined>
  findByName(name: string): Promise<BenchmarkHead | undefined>
  findBaseline(name: string): Promise<BenchmarkHead | undefined>
  runs(benchmarkId: number): Promise<StoredBenchmarkRun[]>
}

const portion = 256

/** A reader for a ledger that this process has open; it answers immediately. */
export function readerOf(ledger: Ledger): LedgerReader {
  const { path, jobs, workflows, benchmarks } = ledger
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
      page: async (query, after) => jobs.page(query, after),
      count: async (query) => jobs.count(query),
      tally: async (owners) => jobs.tally(owners),
      countedAfter: async (attemptId, limit) => jobs.countedAfter(attemptId, limit),
      countedById: async (attemptIds) => jobs.countedById(attemptIds),
      findByPrefix: async (prefix) => jobs.findByPrefix(prefix),
      series: async (taskId, query) => jobs.series(taskId).read(query),
      seriesColumns: async (taskId, columns, range) =>
        jobs.series(taskId).readColumns(columns, range),
      devices: async (taskId, range) => jobs.series(taskId).devices(range),
      marks: async (taskId) => jobs.marks(taskId),
    },
    workflows: {
      newestWorkflowId: async () => workflows.newestWorkflowId(),
      listWorkflows: async () => workflows.listWorkflows(),
      findWorkflow: async (workflowId) => workflows.findWorkflow(workflowId),
      findWorkflowRow: async (workflowId) => workflows.findWorkflowRow(workflowId),
      findJobs: async (query) => workflows.findJobs(query),
      runs: async (workflowId) => workflows.runs(workflowId),
      recentRuns: async (endedSince, limit) => workflows.recentRuns(endedSince, limit),
      results: async (workflowId, query) => workflows.results(workflowId, query),
      briefResults: async (workflowId, query, keys, make) =>
        workflows.briefResults(workflowId, query, keys, make),
      countEarlier: async (workflowId, query) => workflows.countEarlier(workflowId, query),
      utilizationRows: async (workflowId, query) => workflows.utilizationRows(workflowId, query),
    },
    benchmarks: {
      list: async () => benchmarks.list(),
      find: async (benchmarkId) => benchmarks.find(benchmarkId),
      findByName: async (name) => benchmarks.findByName(name),
      findBaseline: async (name) => benchmarks.findBaseline(name),
      runs: async (benchmarkId) => benchmarks.runs(benchmarkId),
    },
    close: async () => ledger.close(),
  }
}
