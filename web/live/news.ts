import { signal } from '@preact/signals'
import type { JobBrief } from '../../src/server/schemas/job.ts'
import type {
  LiveAlertData,
  LiveSamplesData,
  LiveWorkflowData,
} from '../../src/server/schemas/live.ts'
import { tellMachineSize } from '../machines.ts'
import { forgetSamples, takeSamples } from './samples.ts'
import { followEvents } from './stream.ts'

export type AlertNow = LiveAlertData['alert']
export type WorkflowNow = LiveWorkflowData['workflow']

/** The jobs that events told of since everything was last read, by their ids: each as it is now. */
export const changedJobs = signal<ReadonlyMap<string, JobBrief>>(new Map())
/** Alerts that fire, and those that events told to be over. */
export const changedAlerts = signal<ReadonlyMap<string, AlertNow>>(new Map())
export const changedWorkflows = signal<ReadonlyMap<number, WorkflowNow>>(new Map())

/** More than any list shows; who needs older ones reads them. */
const mostKept = 2000

const samplesListeners = new Map<string, Set<(event: LiveSamplesData) => void>>()

/** Tells of the samples of one job as they come in. */
export function onSamples(taskId: string, listener: (event: LiveSamplesData) => void): () => void {
  const listeners = samplesListeners.get(taskId) ?? new Set()
  samplesListeners.set(taskId, listeners.add(listener))
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) samplesListeners.delete(taskId)
  }
}

/** Begins to follow the server; what ends it is answered. */
export const followNews = (): (() => void) =>
  followEvents(
    {
      attempt: ({ job, machine }) => {
        tellMachineSize(job.host, { cores: machine.cores, memoryBytes: machine.memory_bytes })
        takeJob(job)
      },
      samples: (data) => {
        takeSamples(data)
        for (const listener of samplesListeners.get(data.task_id) ?? []) listener(data)
      },
      workflow: ({ workflow }) => {
        changedWorkflows.value = put(changedWorkflows.value, [[workflow.workflow_id, workflow]])
      },
      alert: ({ alert }) => {
        changedAlerts.value = put(changedAlerts.value, [[alert.alert_id, alert]])
      },
    },
    forget,
  )

/** Many jobs may begin at the same moment: lists are drawn once for all of them. */
let pending: JobBrief[] = []
const gatherMilliseconds = 60

function takeJob(job: JobBrief): void {
  if (pending.length === 0) setTimeout(showPending, gatherMilliseconds)
  pending.push(job)
  if (job.status !== 'running') forgetSamples(job.task_id)
}

function showPending(): void {
  const gathered = pending.map((job) => [job.task_id, job] as const)
  pending = []
  if (gathered.length > 0) changedJobs.value = put(changedJobs.value, gathered)
}

function forget(): void {
  pending = []
  changedJobs.value = new Map()
  changedAlerts.value = new Map()
  changedWorkflows.value = new Map()
}

/** A map with these as the newest, without the oldest where it would hold too many. */
function put<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  entries: readonly (readonly [Key, Value])[],
): ReadonlyMap<Key, Value> {
  const next = new Map(map)
  for (const [key, value] of entries) {
    next.delete(key)
    next.set(key, value)
  }
  for (const key of next.keys()) {
    if (next.size <= mostKept) break
    next.delete(key)
  }
  return next
}
