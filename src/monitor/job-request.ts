import { noRequirements, type Job } from '../model/job.ts'
import { wellFormed } from '../model/well-formed.ts'
import { isParams } from '../store/valid.ts'
import { MonitorError } from './monitor-error.ts'

/**
 * A job to be monitored inside this program.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { JobMonitor, type JobEnd, type JobRequest, type JobStatusDetails } from 'jobmeter'
 *
 * const job: JobRequest & { taskId: string } = {
 *   taskId: 'night-7',
 *   tool: 'lammps',
 *   script: 'melt.lammps',
 *   params: { steps: 1000 },
 *   tags: ['nightly'],
 * }
 * const details: JobStatusDetails = { returncode: 1, error: 'lost atoms' }
 * const end: JobEnd = { taskId: job.taskId, status: 'failed', ...details }
 * const monitor = new JobMonitor()
 * await monitor.startMonitoring(job)
 * const stats = await monitor.stopMonitoring(end)
 * assert.deepEqual([stats.returncode, stats.error], [1, 'lost atoms'])
 * ```
 */
export interface JobRequest {
  /** What the program calls it; a random id by default. It may be used again for another attempt. */
  readonly taskId?: string
  /** The program or the library that does the work, such as `fenicsx`: statistics are kept by tool. */
  readonly tool: string
  readonly script?: string
  readonly params?: Readonly<Record<string, unknown>>
  /** The script by default, or else the tool. */
  readonly name?: string
  readonly tags?: readonly string[]
}

/** The job as records have it; its command is that of this program. */
export function requestedJob(request: JobRequest, furtherTags: readonly string[]): Job {
  requireText(request.tool, 'tool', 'Name the program that does the work, such as "fenicsx"')
  if (request.taskId !== undefined)
    requireText(request.taskId, 'taskId', 'Leave it out to have one made')
  const { tool, script = null, tags = [] } = request
  return wellFormed({
    name: request.name ?? script ?? tool,
    tool,
    script,
    params: plainParams(request.params ?? {}),
    tags: [...tags, ...furtherTags],
    command: process.argv,
    workingDirectory: process.cwd(),
    requirements: noRequirements,
  })
}

/** An id is part of a tag, and people type it. */
const longestWord = 1000

function requireText(value: unknown, what: string, advice: string): void {
  if (typeof value !== 'string' || value.trim() === '' || value.length > longestWord)
    throw new MonitorError(
      'not-valid',
      `${what} must be a text of 1 to ${longestWord} characters. ${advice}`,
    )
}

/** Parameters as they can be stored. */
export function plainParams(params: unknown): Record<string, unknown> {
  try {
    const plain: unknown = JSON.parse(JSON.stringify(params))
    if (isParams(plain)) return plain
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new MonitorError('not-valid', `params cannot be stored as JSON: ${why}`)
  }
  throw new MonitorError('not-valid', 'params must be an object, such as { mesh_size: 64 }')
}
