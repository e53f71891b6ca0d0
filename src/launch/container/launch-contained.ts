import type { Meter } from '../../meter/meter.ts'
import type { System } from '../../system/system.ts'
import type { JobCgroups } from '../job-cgroups.ts'
import { launch, type Launched } from '../launch.ts'
import type { LaunchRequest, LaunchResult } from '../request.ts'
import { ContainerJob } from './container-job.ts'

/** A job that was started, and what will be known of it with its container. */
export interface Contained {
  readonly launched: Launched
  readonly done: Promise<LaunchResult>
  /** Why the container that the user named was not there at the start, if so. */
  readonly notYet?: string | null
  /** To be called at the end: why the container that the user named was never found, if so. */
  readonly unfound?: () => string | null
  /** As of the last look: of the container, once there is one. */
  readonly figures: { readonly cpuPercent: number | null; readonly memoryBytes: number | null }
}

/** Starts a command that may run a container. One that does not is started like any other. */
export async function launchContained(
  system: System,
  meter: Meter,
  cgroups: JobCgroups,
  request: LaunchRequest,
  inContainerOf: string | null = null,
): Promise<Contained> {
  const container = ContainerJob.of({ system, meter }, { ...request, inContainerOf })
  if (container === undefined) return asStarted(launch(system, meter, cgroups, request))
  await container.find()
  const startedAt = system.clock.monotonicSeconds()
  const recordedStart = request.recordedStart ?? system.clock.wallSeconds()
  // What the client does is not the job's: its samples are not kept.
  const launched = launch(system, meter, cgroups, {
    ...request,
    command: container.command,
    onSamples: () => {},
    onDevices: () => {},
  })
  if (launched.kind !== 'running') return asStarted(launched)
  container.begin({
    intervalSeconds: request.intervalSeconds,
    startedAt,
    recordedStart,
    // A container that is named may have run for days: what it did before is not the job's.
    origin: inContainerOf === null ? 'found' : 'either',
    onSamples: request.onSamples,
    onDevices: request.onDevices ?? (() => {}),
  })
  return {
    launched,
    done: launched.job.done.then((result) => container.conclude(result, request.stragglers)),
    notYet: container.notYet,
    unfound: () => container.unfound,
    figures: container,
  }
}

const asStarted = (launched: Launched): Contained =>
  launched.kind === 'running'
    ? { launched, done: launched.job.done, figures: launched.job }
    : {
        launched,
        done: Promise.resolve(launched.result),
        figures: { cpuPercent: null, memoryBytes: null },
      }
