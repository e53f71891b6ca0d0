import type { DeviceSink } from '../meter/job-devices.ts'
import type { SampleSink } from '../meter/sample-buffer.ts'
import type { Requirements } from '../model/job.ts'
import type { Outcome } from '../model/outcome.ts'
import type { SamplingFacts } from '../model/record.ts'
import type { SampleRow } from '../model/sample.ts'
import type { Usage } from '../model/usage.ts'
import type { Mark } from '../model/marks/mark.ts'
import type { JobTrace } from './leftovers.ts'

/**
 * What happens to processes that outlive the main process of a job: they are left, killed or waited for.
 *
 * @example
 * ```ts
 * import { measure, type StragglerPolicy } from 'jobmeter'
 *
 * const stragglers: StragglerPolicy = 'kill'
 * const record = await measure(['sh', '-c', 'sleep 60 & true'], { stragglers })
 * console.log(record.stragglers) // []: nothing was left running
 * ```
 */
export type StragglerPolicy = 'leave' | 'kill' | 'wait'

export interface LaunchRequest {
  readonly taskId: string
  /** When its record says that it started, in seconds since 1970; now, where that is not given. Samples count from there. */
  readonly recordedStart?: number
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
  /** Files in place of our own standard streams; output is added at their end. */
  readonly stdin?: string
  readonly stdout?: string
  readonly stderr?: string
  /**
   * Whether these are logs that we named ourselves, and no link may stand in for. One that stays empty is not kept, where
   * it can be known that nobody will write to it.
   */
  readonly ownLogs?: boolean
  /** Hears of output that could not be kept under its name. */
  readonly onLogTrouble?: (message: string) => void
  /** Where the job may write marks. Nothing is there before; without it the job is told of no such file. */
  readonly marksPath?: string
  readonly group: 'own' | 'shared'
  /** Whether others are started here too: the number in `SpawnRequest.isBranded` tells their orphans apart. */
  readonly isOneOfMany?: true
  /** What the job asked for; its environment tells it to whoever watches the whole node. */
  readonly requirements?: Requirements
  /** null: nothing of the job is measured; its processes are still known, ended and named. */
  readonly intervalSeconds: number | null
  readonly timeoutSeconds: number | null
  readonly memoryLimitBytes: number | null
  readonly graceSeconds: number
  readonly stragglers: StragglerPolicy
  readonly onSamples: SampleSink
  readonly onDevices?: DeviceSink
  /** Hears by what the job can be found again, as soon as it has started. */
  readonly onStarted?: (trace: JobTrace) => void
  /**
   * Whether the job gets a cgroup of its own. It costs about a millisecond of kernel work, which a job of milliseconds
   * does not repay; a memory limit needs one.
   */
  readonly ownCgroup: boolean
}

/** All that is known of a job once it is over. */
export interface LaunchResult {
  readonly durationSeconds: number
  readonly outcome: Outcome
  readonly usage: Usage
  readonly samples: SamplingFacts
  /** The samples, thinned for drawing. */
  readonly outline: readonly SampleRow[]
  /** What the job itself told of, where it did. */
  readonly marks?: readonly Mark[]
  /** What of that could not be used, for people to read. */
  readonly markTrouble?: string
}
