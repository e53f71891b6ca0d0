import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { ReportData } from '../../../src/render/page/report-content.ts'
import type {
  Results,
  Workflow,
  WorkflowJobs,
  WorkflowProgress,
} from '../../../src/server/schemas/workflow.ts'
import type { ApiError } from '../../api.ts'
import { useAsked } from '../../asked.ts'
import { useAtMost } from '../../at-most.ts'
import { now } from '../../clock.ts'
import { changedJobs, changedWorkflows } from '../../live/news.ts'
import { runningJobs } from '../../live/running.ts'
import { resets } from '../../live/stream.ts'
import { countStates, jobsNow, sameStates, type JobNow } from './job-now.ts'
import type { Tab } from './tabs.tsx'

/** A workflow as it stands now. */
export interface WorkflowNow {
  readonly id: number
  readonly path: string
  readonly head: Workflow
  readonly progress: WorkflowProgress
  /** Undefined until they were read. */
  readonly jobs: readonly JobNow[] | undefined
  /** Is another whenever jobs came or went, and not when one of them changed. */
  readonly shape: unknown
}

/** What events tell may not add up for a moment; after this long it is read anew. */
const settleMilliseconds = 1200

export function useWorkflow(id: number): {
  readonly workflow: WorkflowNow | undefined
  readonly error: ApiError | undefined
} {
  const path = `/workflows/${id}`
  const live = changedWorkflows.value.get(id)
  const turn = useSignal(0)
  const runs = `${resets.value} ${turn.value} ${live?.run_id} ${live?.is_being_run}`
  const head = useAsked<Workflow>(path, runs)
  const read = useAsked<WorkflowJobs>(`${path}/jobs`, runs)
  const results = useAsked<Results>(`${path}/results`, runs)
  const progress = live ?? head.value.value?.progress
  const list = read.value.value?.jobs
  const found = results.value.value?.results
  const [changed, running] = [changedJobs.value, runningJobs.value]
  const jobs = useMemo(() => {
    if (list === undefined || found === undefined) return undefined
    // What runs was read with its start, which results do not have; what events told is newer.
    return jobsNow(list, found, [...(running ?? []), ...changed.values()], id)
  }, [list, found, changed, running, id])
  useReadAgain(progress, jobs, read.value.isWaiting, () => turn.value++)
  const value = head.value.value
  return {
    workflow:
      value === undefined || progress === undefined
        ? undefined
        : { id, path, head: value, progress, jobs, shape: list },
    error: head.value.error,
  }
}

/** Jobs also change without an attempt of theirs: they are cancelled, or reset. The counts tell that some did. */
function useReadAgain(
  progress: WorkflowProgress | undefined,
  jobs: readonly JobNow[] | undefined,
  isWaiting: boolean,
  readAgain: () => void,
): void {
  const isOff =
    progress !== undefined &&
    jobs !== undefined &&
    !isWaiting &&
    !sameStates(progress.states, countStates(jobs))
  useEffect(() => {
    if (!isOff) return undefined
    const timer = setTimeout(readAgain, settleMilliseconds)
    return () => clearTimeout(timer)
  }, [isOff, isWaiting])
}

/** A report is made from all attempts of a workflow: while it runs, it is read no more often than this. */
const reportSeconds = 15

/** Tabs that are drawn from a report. What the graph shows of it changes with the jobs alone, the others with time too. */
const reportTabs: Readonly<Partial<Record<Tab, 'jobs' | 'time'>>> = {
  graph: 'jobs',
  timeline: 'time',
  resources: 'time',
}

/** What reports are drawn from; read again while the workflow runs, where the tab that is open needs it. */
export function useReport({ path, progress }: WorkflowNow, tab: Tab) {
  const changesWith = reportTabs[tab]
  const isWanted = progress.run_id !== null && changesWith !== undefined
  const withTime =
    changesWith === 'time' && progress.is_being_run ? Math.floor(now.value / reportSeconds) : ''
  const states = JSON.stringify(progress.states)
  const news = useAtMost(isWanted ? `${states} ${withTime}` : '', 1000 * reportSeconds)
  const runs = `${resets.value} ${progress.run_id} ${progress.is_being_run} ${progress.run_ended_at}`
  return useAsked<ReportData>(isWanted ? `${path}/report` : undefined, `${runs} ${news}`).value
}
