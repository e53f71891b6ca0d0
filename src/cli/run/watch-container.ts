import { findContainer, reachableEngines } from '../../launch/container/reachable-engines.ts'
import { watchedResult } from '../../launch/container/watched-result.ts'
import { MeasuredRun } from '../../launch/container/measured-run.ts'
import type { LaunchResult } from '../../launch/request.ts'
import type { Meter } from '../../meter/meter.ts'
import { describeJob } from '../../model/describe-job.ts'
import { whyNot } from '../../model/reading.ts'
import { Recording } from '../../record/recording.ts'
import { UserError } from '../../service/user-error.ts'
import type { System } from '../../system/system.ts'
import { findLedger } from '../ledger/ledger-place.ts'
import type { Console } from '../terminal/console.ts'
import { alertsOfWatched, type WatchedRecording } from './watched-alerts.ts'

interface WatchOptions {
  readonly name: string | undefined
  readonly interval: number
  readonly db: string | undefined
  readonly quiet: boolean
  readonly alerts: string | undefined
}

/** Follows a container that runs already, until it ends or the user has seen enough. */
export async function watchContainer(
  { system, meter }: { readonly system: System; readonly meter: Meter },
  name: string,
  options: WatchOptions,
  console: Console,
): Promise<{ recording: Recording; result: LaunchResult; watched: WatchedRecording }> {
  const apis = reachableEngines(system, process.env)
  if (apis.kind !== 'ok')
    throw new UserError(`no engine of containers can be asked: ${whyNot(apis)}`)
  const found = await findContainer(apis.value, name)
  if (found.kind === 'unavailable')
    throw new UserError(`there is no container ${name} (${whyNot(found)})`)
  if (found.kind !== 'ok') throw new UserError(`container ${name} was not found: ${whyNot(found)}`)
  const { api, inspected: container } = found.value
  if (!container.isRunning) throw new UserError(`container ${name} is not running`)
  const job = describeJob(container.command, {
    name: options.name ?? container.name,
    tool: api.engine,
    tags: ['watched'],
    workingDirectory: '',
  })
  const ledger = findLedger(system, options.db, options)
  const recording = await Recording.begin(system, ledger, job, {
    machineMemoryBytes: meter.machineMemoryBytes(),
    columns: meter.columns,
    intervalSeconds: options.interval,
    alone: true,
  })
  const kept = { ledger, job, recording }
  const watched = await alertsOfWatched(system, meter, kept, options, console)
  const ownCpuAtStart = system.processes.ownCpuSeconds()
  const startedAt = system.clock.monotonicSeconds()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    system.processes.onSignal(signal, stop)
  // By its id: another container may be given the name.
  const run = new MeasuredRun(
    { system, meter },
    [api],
    { name: container.id },
    {
      intervalSeconds: options.interval,
      startedAt,
      recordedStart: recording.startedAt,
      origin: 'running',
      known: container,
      onSamples: watched.sinks.onSamples,
      onDevices: watched.sinks.onDevices,
    },
  )
  await Promise.race([run.died, stopped])
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    system.processes.onSignal(signal, () => run.giveUp())
  run.hurry()
  await run.settle(false)
  const result = watchedResult(run, {
    engine: api.engine,
    durationSeconds: system.clock.monotonicSeconds() - startedAt,
    recordedStart: recording.startedAt,
    intervalSeconds: options.interval,
    ownCpuSeconds: system.processes.ownCpuSeconds() - ownCpuAtStart,
  })
  return { recording, result, watched }
}
