import type { Severity } from './alert.ts'
import type { JobState } from './job-state.ts'
import type { AttemptStatus } from './outcome.ts'

/** Everything about nodes and jobs that `/metrics` tells. A part is null if it could not be read. */
export interface MetricFacts {
  readonly nodes: readonly NodeMetrics[] | null
  readonly jobs: JobMetrics | null
  readonly workflows: readonly WorkflowMetrics[] | null
  readonly alerts: readonly FiringCount[] | null
  readonly violations: readonly ViolationCount[] | null
}

/** A node now, or at the last round of its agent. Null is "not measured". */
export interface NodeMetrics {
  readonly host: string
  /** null if the node was read just now. */
  readonly roundAgeSeconds: number | null
  readonly cores: number | null
  readonly busyCores: number | null
  readonly ioWaitCores: number | null
  /** Since the machine was started; null if only rounds tell of it. */
  readonly cpuSeconds: CpuModes | null
  readonly load: number | null
  readonly memoryBytes: number | null
  readonly memorySizeBytes: number | null
  readonly swapBytes: number | null
  readonly processes: number | null
  readonly threads: number | null
  readonly disks: readonly DeviceMetrics[]
  readonly interfaces: readonly DeviceMetrics[]
  /** How many there are, whether or not each of them is told of. */
  readonly gpuCount: number | null
  readonly gpus: readonly GpuMetrics[]
}

export interface CpuModes {
  readonly busy: number | null
  readonly ioWait: number | null
  readonly idle: number | null
}

/** A disk or a network interface, or all of them: read or received, and written or sent. */
export interface DeviceMetrics {
  readonly device: string
  readonly inBytesPerSecond: number | null
  readonly outBytesPerSecond: number | null
  /** Since the machine was started; null if only rounds tell of it. */
  readonly inBytes: number | null
  readonly outBytes: number | null
}

export interface GpuMetrics {
  readonly gpu: string
  readonly busyShare: number | null
  readonly memoryBytes: number | null
  readonly memorySizeBytes: number | null
  readonly watts: number | null
}

/** Whose jobs, and which. Those of the many that have no label of their own are `other`. */
export interface JobLabels {
  readonly user: string
  readonly name: string
}

export interface JobMetrics {
  readonly ended: readonly EndedSum[]
  readonly used: readonly UsedSum[]
  readonly running: readonly RunningSum[]
}

/** How many attempts ended in one way. */
export interface EndedSum extends JobLabels {
  readonly status: AttemptStatus
  readonly attempts: number
  /** When the first of them was started, in seconds since 1970. */
  readonly since: number
}

/** What all attempts that have ended used, as far as it was measured. */
export interface UsedSum extends JobLabels {
  readonly cpuSeconds: number
  readonly wallSeconds: number
  /** The most that any of them had; null if it was measured for none. */
  readonly memoryPeakBytes: number | null
  readonly since: number
}

/** What those that run now use and asked for together. Null if it is known for none of them. */
export interface RunningSum extends JobLabels {
  readonly attempts: number
  readonly cpuCores: number | null
  readonly memoryBytes: number | null
  readonly requestedCpus: number | null
  readonly requestedMemoryBytes: number | null
  readonly requestedGpus: number | null
}

export interface WorkflowMetrics {
  readonly workflowId: number
  readonly name: string
  readonly user: string
  readonly states: Readonly<Record<JobState, number>>
  readonly runStartedAt: number
  /** null while it runs. */
  readonly runEndedAt: number | null
}

export interface FiringCount {
  readonly rule: string
  readonly severity: Severity
  readonly alerts: number
}

export interface ViolationCount {
  readonly host: string
  readonly policy: string
  readonly severity: Severity
  readonly violations: number
}
