import type { Requirements } from './job.ts'
import type { AskedMetric } from './metrics.ts'

/** A workflow after its file was read, expanded and resolved: nothing in it is left to guess. */
export interface Workflow {
  readonly name: string
  readonly user: string | null
  readonly description: string | null
  readonly project: string | null
  readonly metadata: unknown
  /** Set for every job, before the job's own. */
  readonly environment: Readonly<Record<string, string>>
  readonly files: readonly WorkflowFile[]
  readonly userData: readonly UserData[]
  /** In the order of the file; every name is unique. */
  readonly jobs: readonly WorkflowJob[]
  readonly actions: readonly WorkflowAction[]
  readonly monitor: MonitorSettings
  readonly sortMethod: JobSortMethod
  /** How many jobs may run at once; null: as many as fit. */
  readonly maxParallelJobs: number | null
  /** Whether a declared file that is missing is a failure, and no mere warning. */
  readonly strictFiles: boolean
  /** What belongs to other executors: read, checked and kept as it was written. */
  readonly kept: Readonly<Record<string, unknown>>
}

export interface WorkflowFile {
  readonly name: string
  readonly path: string
}

export interface UserData {
  readonly name: string
  readonly data: unknown
  readonly isEphemeral: boolean
}

export interface WorkflowJob {
  readonly name: string
  /** A line of shell, complete: parameters, variables and `${files.…}` are filled in. */
  readonly command: string
  /** Put before the command, with a space. */
  readonly invocationScript: string | null
  readonly environment: Readonly<Record<string, string>>
  /** Left out for a job that runs in none. */
  readonly container?: JobContainer
  readonly requirements: Requirements
  /** The name its requirements have in the file; null for a mapping of its own, or none. */
  readonly requirementsName: string | null
  readonly priority: number
  /** Names of jobs; implied ones (through files and user data) included, each once, in the order of the file. */
  readonly dependsOn: readonly string[]
  readonly cancelOnBlockingJobFailure: boolean
  readonly failureHandler: FailureHandler | null
  readonly inputFiles: readonly string[]
  readonly outputFiles: readonly string[]
  readonly inputUserData: readonly string[]
  readonly outputUserData: readonly string[]
  /** Keys of other executors (`scheduler`, `supports_termination`, `num_nodes` …), as written. */
  readonly kept: Readonly<Record<string, unknown>>
}

/** In the order in which they are looked for. */
export const containerRuntimes = ['docker', 'podman', 'apptainer'] as const
export type ContainerRuntime = (typeof containerRuntimes)[number]

/** A container for a job to run in. */
export interface JobContainer {
  readonly image: string
  /** null: what is found on the machine. */
  readonly runtime: ContainerRuntime | null
  /** `SOURCE:/TARGET`, as written. */
  readonly mounts: readonly string[]
  /** Further words for the runtime. */
  readonly arguments: readonly string[]
  readonly workingDirectory: string | null
}

export interface FailureHandler {
  readonly name: string
  readonly rules: readonly FailureRule[]
}

export interface FailureRule {
  /** null: any exit code but 0. */
  readonly exitCodes: readonly number[] | null
  readonly recoveryScript: string | null
  readonly maxRetries: number
}

export const actionTriggers = [
  'on_workflow_start',
  'on_workflow_complete',
  'on_jobs_ready',
  'on_jobs_complete',
  'on_worker_start',
  'on_worker_complete',
] as const

export interface WorkflowAction {
  readonly trigger: (typeof actionTriggers)[number]
  readonly type: 'run_commands' | 'schedule_nodes'
  /** Jobs that the trigger speaks of, by name. */
  readonly jobs: readonly string[]
  readonly commands: readonly string[]
  readonly kept: Readonly<Record<string, unknown>>
}

export interface MonitorSettings {
  readonly enabled: boolean
  readonly granularity: 'summary' | 'time_series'
  readonly sampleIntervalSeconds: number
  readonly generatePlots: boolean
  /** Requests that are limits too. */
  readonly enforce: readonly ('memory' | 'runtime')[]
  /** What is measured; absent: what is measured by default. */
  readonly metrics?: readonly AskedMetric[]
}

export const defaultMonitor: MonitorSettings = {
  enabled: true,
  granularity: 'summary',
  sampleIntervalSeconds: 5,
  generatePlots: false,
  enforce: [],
}

export const jobSortMethods = ['none', 'gpus_runtime_memory', 'gpus_memory_runtime'] as const
export type JobSortMethod = (typeof jobSortMethods)[number]
