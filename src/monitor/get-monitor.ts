import { JobMonitor, type JobMonitorOptions } from './job-monitor.ts'
import { MonitorError } from './monitor-error.ts'

let monitor: JobMonitor | undefined

/**
 * The monitor that all parts of a program share. Options can only be given by the call that makes it.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { getMonitor } from 'jobmeter'
 *
 * const answer = await getMonitor().trackJob(
 *   { taskId: 'task-456', tool: 'lammps', script: 'example.lammps' },
 *   async (tracker) => {
 *     const result = { returncode: 0, stderr: '' } // … the work …
 *     if (result.returncode !== 0)
 *       tracker.setStatus('failed', { returncode: result.returncode, error: result.stderr })
 *     return result
 *   },
 * )
 * assert.equal(answer.returncode, 0)
 * const stats = await getMonitor().getSummaryStatistics()
 * console.log(`Success rate: ${stats.success_rate} %`)
 * ```
 */
export function getMonitor(options?: JobMonitorOptions): JobMonitor {
  if (monitor !== undefined && options !== undefined)
    throw new MonitorError(
      'not-valid',
      'the shared monitor exists already. Give the options to the first call of getMonitor, or make a JobMonitor of your own',
    )
  monitor ??= new JobMonitor(options)
  return monitor
}

/** undefined as long as nobody has asked for it: who only tells it of jobs must not make it, since others may have options for it. */
export const sharedMonitor = (): JobMonitor | undefined => monitor
