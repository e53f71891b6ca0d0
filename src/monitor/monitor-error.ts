/**
 * What a program asked of a monitor or a pipeline and cannot have. The message says what to do instead.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { JobMonitor, MonitorError, type MonitorErrorCode } from 'jobmeter'
 *
 * const isMistake = (error: unknown, code: MonitorErrorCode): boolean =>
 *   error instanceof MonitorError && error.code === code
 *
 * await assert.rejects(new JobMonitor().stopMonitoring({ taskId: 'never-begun' }), (error) =>
 *   isMistake(error, 'not-monitored'),
 * )
 * ```
 */
export class MonitorError extends Error {
  override readonly name = 'MonitorError'
  readonly code: MonitorErrorCode

  constructor(code: MonitorErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * What kind of mistake it is.
 *
 * @see MonitorError
 */
export type MonitorErrorCode =
  | 'not-valid'
  | 'already-monitored'
  | 'not-monitored'
  | 'unknown-tool'
  | 'missing-script'
  | 'missing-parameter'
  | 'unknown-task'
  | 'not-over-yet'
  | 'closed'
  | 'no-queue'
