import type { DeviceSink } from '../../meter/job-devices.ts'
import type { SampleSink } from '../../meter/sample-buffer.ts'

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
  /** Following it does not keep the program alive. */
  readonly isBackground?: boolean
  readonly onSamples: SampleSink
  readonly onDevices: DeviceSink
}
