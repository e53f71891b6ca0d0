import type { DeviceSink } from '../../meter/job-devices.ts'
import type { SampleSink } from '../../meter/sample-buffer.ts'
import type { Inspected } from '../../sensors/container/inspected.ts'

/** How a container is to be followed. Times count from the start of the job that asked for it. */
export interface ContainerFollowing {
  /** null: it is not looked at, only known. */
  readonly intervalSeconds: number | null
  readonly startedAt: number
  readonly recordedStart: number
  /**
   * `found` for one that is about to be started, `running` for one that counts from now on. `either`: as its own start
   * says, before or after ours.
   */
  readonly origin: 'found' | 'running' | 'either'
  /** The container, where it was found before; it may have ended since. */
  readonly known?: Inspected
  /** Following it does not keep the program alive. */
  readonly isBackground?: boolean
  readonly onSamples: SampleSink
  readonly onDevices: DeviceSink
}

/** With the question settled whether it counts from now on. */
export type SettledFollowing = Omit<ContainerFollowing, 'origin'> & {
  readonly origin: 'found' | 'running'
}

/** By how much the clock of a daemon may be ahead of ours. */
const slackSeconds = 60

/** Whether a container was started for the job, or was running already. */
export function originOf(
  { startedAt }: Inspected,
  { origin, recordedStart }: ContainerFollowing,
  now: number,
): SettledFollowing['origin'] {
  if (origin !== 'either') return origin
  // A daemon may tell of a start that has not come: what it did before must not count.
  const isSince =
    startedAt !== null && startedAt >= recordedStart && startedAt <= now + slackSeconds
  return isSince ? 'found' : 'running'
}
