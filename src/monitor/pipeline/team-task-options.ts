/**
 * Every option has a sensible default.
 *
 * @see TeamTaskQueue
 */
export interface TeamTaskQueueOptions {
  /** Tasks of a higher priority come first; 0 by default. */
  readonly priority?: number
  /** What the workers that run the tasks must have; nothing by default. */
  readonly labels?: readonly string[]
  /** How often a task is run again if its worker is lost; 3 by default. */
  readonly interruptions?: number
  /** Time between samples, for pipelines that do not say; 0.5 by default. */
  readonly intervalSeconds?: number
  /** Hears, once, that the server does not answer somebody who waits for a task, and when it does again. */
  readonly note?: (message: string) => void
}
