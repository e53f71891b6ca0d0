import type {
  BenchmarksReader,
  JobsReader,
  LedgerReader,
  WorkflowsReader,
} from '../../store/ledger/ledger-reader.ts'
import type { RecordQuery } from '../../store/ledger/store.ts'
import { maySee, usersSeenBy } from './may-see.ts'
import type { Viewer } from './viewer.ts'

/**
 * A ledger in which there is nothing but what a viewer may see. Whatever is asked for a viewer is asked of this one, so that
 * no question can forget whose the answer is: what is somebody else's is not there, by whatever name it is asked for.
 */
export function visibleLedger(ledger: LedgerReader, viewer: Viewer): LedgerReader {
  const owners = usersSeenBy(viewer)
  if (owners === null) return ledger
  const jobs = visibleJobs(ledger.jobs, viewer, owners)
  return {
    path: ledger.path,
    jobs,
    workflows: visibleWorkflows(ledger.workflows, viewer),
    benchmarks: visibleBenchmarks(ledger.benchmarks, jobs),
    close: async () => undefined,
  }
}

function visibleJobs(jobs: JobsReader, viewer: Viewer, owners: readonly string[]): JobsReader {
  const among = <Query extends RecordQuery>(query: Query): Query => ({ ...query, owners })
  /** What is read is of the user of the record that is seen: another may have sent a task of the same id. */
  const ofSeen = async <T>(
    taskId: string,
    none: T,
    read: (user: string) => Promise<T>,
  ): Promise<T> => {
    const seen = (await jobs.findByPrefix(taskId)).find(
      (record) => record.taskId === taskId && maySee(viewer, record),
    )
    return seen === undefined ? none : read(seen.user)
  }
  return {
    find: (query) => jobs.find(among(query)),
    each: (query, order) => jobs.each(among(query), order),
    findBrief: (query, keys) => jobs.findBrief(among(query), keys),
    page: (query, after) => jobs.page(among(query), after),
    count: (query) => jobs.count(among(query)),
    tally: () => jobs.tally(owners),
    // Sums over everybody's attempts are made of these: only who may see all of them asks.
    countedAfter: async () => ({ attempts: [], lastId: 0, isMore: false }),
    countedById: async () => [],
    findByPrefix: async (prefix) =>
      (await jobs.findByPrefix(prefix)).filter((record) => maySee(viewer, record)),
    series: (taskId, query) =>
      ofSeen(taskId, { columns: [], rows: [], basis: {} }, (user) =>
        jobs.series(taskId, query, user),
      ),
    seriesColumns: (taskId, columns, range) =>
      ofSeen(taskId, { columns, values: columns.map(() => new Float64Array()) }, (user) =>
        jobs.seriesColumns(taskId, columns, range, user),
      ),
    devices: (taskId, range) => ofSeen(taskId, [], (user) => jobs.devices(taskId, range, user)),
    marks: (taskId) => ofSeen(taskId, [], (user) => jobs.marks(taskId, user)),
  }
}

function visibleWorkflows(workflows: WorkflowsReader, viewer: Viewer): WorkflowsReader {
  const isSeen = async (workflowId: number): Promise<boolean> => {
    const head = await workflows.findWorkflowRow(workflowId)
    return head !== undefined && maySee(viewer, head)
  }
  const ofSeen = async <T>(workflowId: number, read: () => Promise<T[]>): Promise<T[]> =>
    (await isSeen(workflowId)) ? read() : []
  const listWorkflows: WorkflowsReader['listWorkflows'] = async () =>
    (await workflows.listWorkflows()).filter((head) => maySee(viewer, head))
  const onlySeen = async <T extends { readonly workflowId: number }>(found: readonly T[]) => {
    const seen = new Set((await listWorkflows()).map(({ workflowId }) => workflowId))
    return found.filter(({ workflowId }) => seen.has(workflowId))
  }
  return {
    newestWorkflowId: async () => (await listWorkflows())[0]?.workflowId,
    listWorkflows,
    findWorkflow: async (workflowId) =>
      (await isSeen(workflowId)) ? workflows.findWorkflow(workflowId) : undefined,
    findWorkflowRow: async (workflowId) =>
      (await isSeen(workflowId)) ? workflows.findWorkflowRow(workflowId) : undefined,
    findJobs: async (query) => onlySeen(await workflows.findJobs(query)),
    runs: (workflowId) => ofSeen(workflowId, () => workflows.runs(workflowId)),
    recentRuns: async (since, limit) => onlySeen(await workflows.recentRuns(since, limit)),
    results: (workflowId, query) => ofSeen(workflowId, () => workflows.results(workflowId, query)),
    briefResults: (workflowId, query, keys, make) =>
      ofSeen(workflowId, () => workflows.briefResults(workflowId, query, keys, make)),
    countEarlier: async (workflowId, query) =>
      (await isSeen(workflowId)) ? workflows.countEarlier(workflowId, query) : 0,
    utilizationRows: (workflowId, query) =>
      ofSeen(workflowId, () => workflows.utilizationRows(workflowId, query)),
  }
}

/** Nobody wrote down whose a benchmark is: it is who made its runs. One without a run has nobody's figures in it. */
function visibleBenchmarks(benchmarks: BenchmarksReader, jobs: JobsReader): BenchmarksReader {
  const isSeen = async (benchmarkId: number): Promise<boolean> => {
    const [first] = await benchmarks.runs(benchmarkId)
    if (first === undefined) return false
    return (await jobs.findByPrefix(first.taskId)).length > 0
  }
  const ifSeen = async <T extends { readonly id: number }>(
    found: T | undefined,
  ): Promise<T | undefined> => (found !== undefined && (await isSeen(found.id)) ? found : undefined)
  return {
    list: async () => {
      const all = await benchmarks.list()
      const seen = await Promise.all(all.map(({ id }) => isSeen(id)))
      return all.filter((_, index) => seen[index])
    },
    find: async (benchmarkId) => ifSeen(await benchmarks.find(benchmarkId)),
    findByName: async (name) => ifSeen(await benchmarks.findByName(name)),
    findBaseline: async (name) => ifSeen(await benchmarks.findBaseline(name)),
    runs: async (benchmarkId) => ((await isSeen(benchmarkId)) ? benchmarks.runs(benchmarkId) : []),
  }
}
