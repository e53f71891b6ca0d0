import type { JobState } from '../../model/job-state.ts'
import type { Requirements } from '../../model/job.ts'
import { formatBytes, formatCount, formatSeconds, notMeasured } from '../units/figures.ts'
import { count } from '../../model/count.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'
import { stateText } from './workflow-words.ts'

/** A job of a workflow; the ledger's is one. */
export interface ListedJob {
  readonly jobId: number
  readonly state: JobState
  readonly attempts: number
  readonly job: {
    readonly name: string
    readonly command: string
    readonly dependsOn: readonly string[]
    readonly requirements: Requirements
  }
}

const columns = [
  { header: 'Job ID', align: 'right' },
  { header: 'Job Name', align: 'left' },
  { header: 'State', align: 'left' },
  { header: 'Depends On', align: 'right' },
  { header: 'Request', align: 'left' },
  { header: 'Attempts', align: 'right' },
] as const
const reasonColumn = { header: 'Reason', align: 'left' } as const

/** The jobs of a workflow, in the order given; `waits` says why some of them have not begun where they were handed to. */
export function workflowJobsText(
  jobs: readonly ListedJob[],
  waits: ReadonlyMap<number, string>,
  style: Style,
): string {
  if (jobs.length === 0) return 'This workflow has no jobs.\n'
  const hasReasons = jobs.some(({ jobId }) => waits.has(jobId))
  const rows = jobs.map(({ jobId, state, attempts, job }) => [
    String(jobId),
    printable(job.name),
    stateText(state, style),
    formatCount(job.dependsOn.length),
    requestText(job.requirements),
    formatCount(attempts),
    ...(hasReasons ? [printable(waits.get(jobId) ?? '')] : []),
  ])
  const shown = hasReasons ? [...columns, reasonColumn] : columns
  const [header = '', ...lines] = table(shown, rows).split('\n')
  return `${[style.bold(header), ...lines].join('\n')}\n`
}

export function workflowJobJson({ jobId, state, attempts, job }: ListedJob): object {
  const { cpus, memoryBytes, gpus, runtimeSeconds } = job.requirements
  return {
    job_id: jobId,
    job_name: job.name,
    state,
    command: job.command,
    depends_on: job.dependsOn,
    resource_requirements: {
      cpus,
      memory_bytes: memoryBytes,
      gpus,
      runtime_seconds: runtimeSeconds,
    },
    attempts,
  }
}

function requestText({ cpus, memoryBytes, gpus, runtimeSeconds }: Requirements): string {
  const parts = [
    cpus === null ? null : `${cpus} CPU${cpus === 1 ? '' : 's'}`,
    memoryBytes === null ? null : formatBytes(memoryBytes),
    gpus === null || gpus === 0 ? null : count(gpus, 'GPU'),
    runtimeSeconds === null ? null : formatSeconds(runtimeSeconds),
  ]
  return parts.filter((part) => part !== null).join(', ') || notMeasured
}
