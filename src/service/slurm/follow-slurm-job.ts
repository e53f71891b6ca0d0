import type { LaunchResult } from '../../launch/request.ts'
import type { FollowedJob } from '../../meter/followed-job.ts'
import type { DeviceSink } from '../../meter/job-devices.ts'
import type { Meter } from '../../meter/meter.ts'
import type { SampleSink } from '../../meter/sample-buffer.ts'
import type { Outcome } from '../../model/outcome.ts'
import { isOver, type SlurmJobState } from '../../slurm/job-state.ts'
import type { System } from '../../system/system.ts'
import { outcomeOf } from '../../workflow/executors/slurm/judge.ts'
import type { SlurmCommands } from '../../workflow/executors/slurm/slurm-commands.ts'
import { ageSeconds, cgroupOf, slurmMark } from './find-slurm-job.ts'

/** Whether any process is left is looked at so often, however long the interval is. */
const lookSeconds = 0.25
/** Between two steps a job may have no process: Slurm is asked whether it is over, no more often than this. */
const askSeconds = 5
/** Slurm says how a job ended a moment after its last process has. */
const mostAnswers = 6

interface SlurmFollowing {
  readonly job: string
  readonly pid: number
  /** Of the job's user; undefined where Slurm did not say. */
  readonly uid: number | undefined
  readonly intervalSeconds: number
  /** Whether it began a moment ago: all that it has used counts. Else it counts from now on. */
  readonly fromStart: boolean
  readonly recordedStart: number
  readonly onSamples: SampleSink
  readonly onDevices: DeviceSink
}

/** Follows a job of Slurm on this node until it is over, or until somebody stops us. */
export async function followSlurmJob(
  { system, meter, commands }: { system: System; meter: Meter; commands: SlurmCommands },
  following: SlurmFollowing,
): Promise<LaunchResult> {
  const { job, pid, uid, intervalSeconds } = following
  const cgroup = cgroupOf(system, pid, job)
  const ownCpuAtStart = system.processes.ownCpuSeconds()
  const followed = meter.follow({
    rootPid: pid,
    intervalSeconds,
    ...(uid === undefined ? { mark: null } : { mark: slurmMark(job), markUid: uid }),
    cgroup: cgroup === null ? null : { ...cgroup, joinsLater: false, launcherCpuSeconds: 0 },
    ...(following.fromStart
      ? {
          origin: 'found',
          startedAt: system.clock.monotonicSeconds() - ageSeconds(system, pid),
        }
      : { origin: 'running' }),
    recordedStart: following.recordedStart,
    launcherBytes: 0,
    onSamples: following.onSamples,
    onDevices: following.onDevices,
  })
  const { durationSeconds, stopped } = await untilOver(system, meter, commands, followed, job)
  const usage = meter.finish(followed, durationSeconds)
  const state = stopped ? undefined : await endStateOf(system, commands, job)
  return {
    durationSeconds,
    outcome: outcomeBy(state, stopped),
    usage,
    samples: {
      collected: followed.samplesTaken,
      intervalSeconds,
      late: followed.lateLooks,
      ownCpuSeconds: system.processes.ownCpuSeconds() - ownCpuAtStart,
    },
    outline: followed.outline,
  }
}

async function untilOver(
  system: System,
  meter: Meter,
  commands: SlurmCommands,
  followed: FollowedJob,
  job: string,
): Promise<{ readonly durationSeconds: number; readonly stopped: boolean }> {
  const told = { stopped: false }
  let wake = (): void => {}
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    system.processes.onSignal(signal, () => {
      told.stopped = true
      wake()
    })
  let lastAlive = followed.elapsedSeconds()
  let askedAt = -Infinity
  while (!told.stopped) {
    followed.glimpse()
    meter.refresh(followed)
    if (followed.livingProcesses > 0) lastAlive = followed.elapsedSeconds()
    else if (system.clock.monotonicSeconds() - askedAt > askSeconds) {
      const state = await commands.stateOf(job)
      if (state === undefined || isOver(state) || state.state === 'COMPLETING') break
      askedAt = system.clock.monotonicSeconds()
    }
    await new Promise<void>((resolve) => {
      wake = resolve
      system.clock.after(lookSeconds, resolve)
    })
  }
  if (!told.stopped) return { durationSeconds: lastAlive, stopped: false }
  // Whoever stopped us may be the epilog: it looks like a process of the job, which is over.
  const state = await commands.stateOf(job)
  const isOn = state !== undefined && !isOver(state) && state.state !== 'COMPLETING'
  return { durationSeconds: isOn ? followed.elapsedSeconds() : lastAlive, stopped: isOn }
}

async function endStateOf(
  { clock }: System,
  commands: SlurmCommands,
  job: string,
): Promise<SlurmJobState | undefined> {
  let state: SlurmJobState | undefined
  for (let answers = 0; answers < mostAnswers; answers++) {
    state = await commands.stateOf(job)
    if (state === undefined || isOver(state)) return state
    await new Promise<void>((resolve) => clock.after(1, resolve))
  }
  return state
}

function outcomeBy(state: SlurmJobState | undefined, stopped: boolean): Outcome {
  const common = { exitCode: null, signal: null, stragglers: [] }
  if (stopped)
    return {
      ...common,
      status: 'unknown',
      reason: 'the watching ended while the job was still running',
    }
  if (state === undefined || !isOver(state))
    return { ...common, status: 'unknown', reason: 'it ended; Slurm did not say how' }
  const bySlurm = outcomeOf(state, null)
  if (bySlurm !== null) return bySlurm
  const { exitCode } = state
  if (state.state === 'COMPLETED')
    return { ...common, status: 'success', exitCode: 0, reason: null }
  return { ...common, status: 'failed', exitCode, reason: `Slurm says ${state.state}` }
}
