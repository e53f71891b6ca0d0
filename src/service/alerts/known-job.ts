import type { WatchedJob } from '../../alert/evaluate/job-watch.ts'
import type { Requirements } from '../../model/job.ts'

export interface AlertedJob {
  readonly name: string
  readonly taskId: string
}

/** What is known of an attempt before it runs. */
export interface KnownJob extends AlertedJob {
  readonly requirements: Requirements
  readonly memoryLimitBytes: number | null
  readonly timeoutSeconds: number | null
  /** null if it is not watched. */
  readonly intervalSeconds: number | null
}

export interface KnownMachine {
  readonly cores: number
  readonly memoryBytes: number | null
}

/** The same as rules see it: NaN is unknown. */
export function watchedJob(job: KnownJob, machine: KnownMachine): WatchedJob {
  const { requirements, memoryLimitBytes, timeoutSeconds, intervalSeconds } = job
  const { cpus, memoryBytes, gpus, runtimeSeconds } = requirements
  return {
    intervalSeconds: intervalSeconds ?? 1,
    facts: {
      cores: machine.cores,
      machineMemoryBytes: machine.memoryBytes ?? Number.NaN,
      memoryLimitBytes: memoryLimitBytes ?? Number.NaN,
      requestedMemoryBytes: memoryBytes ?? Number.NaN,
      requestedCpus: cpus ?? Number.NaN,
      requestedGpus: gpus ?? Number.NaN,
      timeoutSeconds: timeoutSeconds ?? Number.NaN,
      requestedRuntimeSeconds: runtimeSeconds ?? Number.NaN,
    },
  }
}
