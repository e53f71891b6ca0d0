/**
 * What a job asked for. `null` means that it did not ask, so there is nothing to compare with.
 *
 * @see Job
 */
export interface Requirements {
  readonly cpus: number | null
  readonly memoryBytes: number | null
  readonly gpus: number | null
  readonly runtimeSeconds: number | null
}

export const noRequirements: Requirements = {
  cpus: null,
  memoryBytes: null,
  gpus: null,
  runtimeSeconds: null,
}

/**
 * What to run.
 *
 * @example
 * ```ts
 * import { measure, type Job, type Requirements } from 'jobmeter'
 *
 * const requirements: Partial<Requirements> = { cpus: 2, memoryBytes: 2 ** 30 }
 * const job: Job = await measure(['sh', '-c', 'true'], { requirements, params: { mesh: 64 } })
 * console.log(job.tool, job.command, job.requirements.cpus, job.params)
 * ```
 */
export interface Job {
  readonly name: string
  /** The program, as in `python3` of `python3 train.py`. */
  readonly tool: string
  /** The script it was given, as in `train.py`; null if there is none. */
  readonly script: string | null
  readonly params: Readonly<Record<string, unknown>>
  readonly tags: readonly string[]
  readonly command: readonly string[]
  readonly workingDirectory: string
  readonly requirements: Requirements
}
