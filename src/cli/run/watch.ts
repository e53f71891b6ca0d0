import type { SeenJob } from '../../meter/follow-request.ts'
import type { FollowedJob } from '../../meter/followed-job.ts'
import { chosenGauges } from '../../meter/gauges/chosen.ts'
import { Meter } from '../../meter/meter.ts'
import type { DeviceSink } from '../../meter/job-devices.ts'
import type { SampleSink } from '../../meter/sample-buffer.ts'
import { count } from '../../model/count.ts'
import { describeJob } from '../../model/describe-job.ts'
import type { Job } from '../../model/job.ts'
import { formatBytes, formatPercent, formatSeconds } from '../../render/units/figures.ts'
import { readCommandWords } from '../../sensors/procfs/cmdline.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { commandAction } from '../command/action.ts'
import { alertsOption } from '../command/alerts-option.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import type { Console } from '../terminal/console.ts'
import { findLedger } from '../ledger/ledger-place.ts'
import { metricsAsked, metricsOptions } from './metrics-option.ts'
import { endWatch } from './end-watch.ts'
import { Recording } from '../../record/recording.ts'
import { alertsOfWatched } from './watched-alerts.ts'
import { UserError } from '../../service/user-error.ts'

const definition = defineCommand({
  name: 'watch',
  aliases: [],
  summary:
    'Follows a process that is already running, with all its children, or a container, until it ends.',
  usage: 'watch (--pid N | --container NAME) [options]',
  description:
    'Ctrl-C ends the watching, never the process. Only the parent of a process learns its exit code, so the record has the status "unknown"; of a container, its daemon tells it. Figures count from the moment the watching began.',
  arguments: [],
  options: {
    pid: {
      type: 'number',
      value: 'N',
      example: '4711',
      min: 1,
      whole: true,
      says: 'the process to follow',
    },
    container: {
      type: 'string',
      value: 'NAME',
      says: 'the container to follow instead, by its name or id, of Docker or Podman',
    },
    name: {
      type: 'string',
      value: 'NAME',
      says: 'the name of the job (default: its script or tool)',
    },
    interval: {
      type: 'duration',
      value: 'TIME',
      default: 1,
      min: 0.01,
      says: 'time between samples',
    },
    ...metricsOptions,
    ...alertsOption,
    quiet: {
      type: 'boolean',
      short: 'q',
      says: 'print only errors, and the record if --format json is given',
    },
    ...globalOptions,
  },
  examples: [
    'jobmeter watch --pid 4711',
    'jobmeter watch --pid $(pgrep -f train.py) --interval 5',
    'jobmeter watch --container solver',
  ],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false, mostlyWaits: true })
  const { pid, container } = options
  if ((pid === undefined) === (container === undefined))
    throw new UserError('name what to follow: either --pid N or --container NAME', 'usage')
  const metrics = metricsAsked(options)
  if (metrics === null)
    throw new UserError('--metrics none leaves nothing to watch. Name at least one', 'usage')
  const meter = new Meter(system, await chosenGauges(system, metrics))
  if (pid === undefined) {
    const { watchContainer } = await import('./watch-container.ts')
    const watched = await watchContainer({ system, meter }, container ?? '', options, console)
    await endWatch(system, watched, options, console)
    return 0
  }
  const job = describeProcess(system, pid, options.name)
  const ledger = findLedger(system, options.db, options)
  const recording = await Recording.begin(system, ledger, job, {
    machineMemoryBytes: meter.machineMemoryBytes(),
    columns: meter.columns,
    intervalSeconds: options.interval,
    alone: true,
  })
  const ownCpuAtStart = system.processes.ownCpuSeconds()
  const kept = { ledger, job, recording }
  const watched = await alertsOfWatched(system, meter, kept, options, console)
  const live = !options.quiet && system.output.isTerminal(2)
  const { followed, stopped } = await followUntilEnd(system, meter, {
    pid,
    intervalSeconds: options.interval,
    ...watched.sinks,
    onLook: (seen) => live && showLine(console, seen),
  })
  if (live) console.erase(0)
  const durationSeconds = followed.elapsedSeconds()
  const usage = meter.finish(followed, durationSeconds)
  const result = {
    durationSeconds,
    outcome: {
      status: 'unknown' as const,
      exitCode: null,
      signal: null,
      reason: stopped
        ? 'the watching ended while the process was still running'
        : 'it ended; only its parent learns how',
      stragglers: [],
    },
    usage,
    samples: {
      collected: followed.samplesTaken,
      intervalSeconds: options.interval,
      late: followed.lateLooks,
      ownCpuSeconds: system.processes.ownCpuSeconds() - ownCpuAtStart,
    },
    outline: followed.outline,
  }
  await endWatch(system, { recording, result, watched }, options, console)
  return 0
})

function describeProcess(system: System, pid: number, name: string | undefined): Job {
  const command = readCommandWords(system.files, pid)
  if (command === undefined)
    throw new UserError(`there is no process ${pid}. See ps -e, or pgrep -f NAME`)
  return describeJob(command, { name, tags: ['watched'], workingDirectory: '' })
}

interface WatchRequest {
  readonly pid: number
  readonly intervalSeconds: number
  readonly onSamples: SampleSink
  readonly onDevices: DeviceSink
  readonly onLook: (job: SeenJob) => void
}

/** Resolves when the last process of the tree has ended, or when somebody stops us. */
async function followUntilEnd(
  system: System,
  meter: Meter,
  request: WatchRequest,
): Promise<{ followed: FollowedJob; stopped: boolean }> {
  const { promise: ended, resolve: end } = Promise.withResolvers<{ readonly stopped: boolean }>()
  const followed = meter.follow({
    rootPid: request.pid,
    intervalSeconds: request.intervalSeconds,
    mark: null,
    cgroup: null,
    origin: 'running',
    launcherBytes: 0,
    onSamples: request.onSamples,
    onDevices: request.onDevices,
    onLook(job) {
      request.onLook(job)
      if (job.livingProcesses === 0) end({ stopped: false })
    },
  })
  // The end is seen within a tenth of a second, however long the interval; that of children which outlive it, in a second.
  const checkRoot = (): void => {
    const isGone = meter.identify(request.pid)?.startTicks !== startTicks
    if (isGone) meter.refresh(followed)
    system.clock.after(isGone ? 1 : 0.1, checkRoot)
  }
  const startTicks = meter.identify(request.pid)?.startTicks
  checkRoot()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    system.processes.onSignal(signal, () => end({ stopped: true }))
  return { followed, ...(await ended) }
}

function showLine(console: Console, job: SeenJob): void {
  const { cpuPercent, memoryBytes } = job.seen
  const parts = [
    formatSeconds(job.elapsedSeconds()),
    Number.isNaN(cpuPercent) ? 'CPU –' : `CPU ${formatPercent(cpuPercent)}`,
    Number.isNaN(memoryBytes) ? 'memory –' : `memory ${formatBytes(memoryBytes)}`,
    count(job.livingProcesses, 'process', 'processes'),
  ]
  console.erase(0)
  console.note(parts.join(' · '))
}
