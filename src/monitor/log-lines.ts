import type { Job } from '../model/job.ts'
import { orDash } from '../render/units/figures.ts'
import type { MonitoredJob } from './job-json.ts'
import { pythonText } from './python-text.ts'

/**
 * Where a program wants to hear of its jobs: `console` is one, and so are the loggers of most packages.
 *
 * @see JobMonitorOptions
 */
export interface Logger {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

interface LogLine {
  readonly level: keyof Logger
  readonly text: string
}

/** `Starting job 3f8a21b2c4d5: tool=fenicsx, script=poisson.py, params={'mesh_size': 64}` */
export function startLine(
  taskId: string,
  { tool, script, params }: Pick<Job, 'tool' | 'script' | 'params'>,
): LogLine {
  const words = `tool=${tool}, script=${script ?? 'None'}, params=${pythonText(params)}`
  return { level: 'info', text: `Starting job ${taskId}: ${words}` }
}

/** What the documented log says of a job that is over; an error has a line of its own. */
export function endLines(job: MonitoredJob): readonly LogLine[] {
  const { task_id: id, status, returncode, resource_usage: used } = job
  const took = `Duration: ${orDash(job.duration_seconds, logSeconds)}`
  const cpu = `CPU: ${orDash(used.cpu_total_seconds, logSeconds)}`
  switch (status) {
    case 'success':
      return [{ level: 'info', text: `Job ${id} completed successfully - ${took}, ${cpu}` }]
    case 'timeout':
      return [{ level: 'warn', text: `Job ${id} timed out` }]
    case 'cancelled':
    case 'interrupted':
      return [{ level: 'warn', text: `Job ${id} was ${status} - ${took}` }]
    case 'failed':
    case 'error':
    case 'unknown':
    case 'waiting':
    case 'running':
      return [
        {
          level: 'error',
          text:
            status === 'failed' && returncode !== null
              ? `Job ${id} failed with return code ${returncode} - ${took}`
              : `Job ${id} failed with an error - ${took}`,
        },
        ...(job.reason === null
          ? []
          : [{ level: 'error' as const, text: `Job ${id}: ${job.reason}` }]),
      ]
  }
}

/** Two decimals, always: scripts read these lines. */
const logSeconds = (seconds: number): string => `${seconds.toFixed(2)}s`
