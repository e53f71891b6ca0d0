import type { Meter } from '../meter/meter.ts'
import { marksVariable } from '../model/marks/mark.ts'
import { requestMark, requestVariable, taskEnvironment } from '../model/task-mark.ts'
import type { SpawnRequest, SpawnResult, System } from '../system/system.ts'
import { nameFailedStart } from './ending.ts'
import type { JobCgroup } from './job-cgroup.ts'
import type { JobCgroups } from './job-cgroups.ts'
import type { LaunchRequest, LaunchResult } from './request.ts'
import { RunningJob } from './running-job.ts'
import { unwatchedUsage } from './unwatched-usage.ts'

const engines = ['docker', 'podman'] as const

/** Whether a command may be one that has a daemon run a container: only then is the code for that loaded. */
export const mayRunContainer = (command: readonly string[]): boolean =>
  command.some((word) => engines.some((name) => word === name || word.endsWith(`/${name}`)))

/** And of one that shows in its words that something else in it may. */
export const mayHideContainer = (command: readonly string[]): boolean =>
  command.some(
    (word) => engines.some((name) => word.includes(name)) && /\b(docker|podman)\b/.test(word),
  )

/** Starts a command, in a cgroup of its own where that can be had, and follows it. */
export function launch(
  system: System,
  meter: Meter,
  cgroups: JobCgroups,
  request: LaunchRequest,
): Launched {
  const made = request.ownCgroup ? cgroups.make() : undefined
  const cgroup = made?.kind === 'ok' ? made.value : null
  const job = new RunningJob(system, meter, request, cgroup)
  const started = spawnInside(cgroup, (into) =>
    system.processes.spawn(
      { ...spawnRequest(request), ...(into === undefined ? {} : { cgroup: into }) },
      job,
    ),
  )
  if (started.kind !== 'started') cgroup?.remove()
  return begun(request, job, started)
}

/** The same without a cgroup, and without waiting until the program has begun: `told` is called at once or later. */
export function launchAside(
  system: System,
  meter: Meter,
  request: LaunchRequest,
  told: (launched: Launched) => void,
): void {
  const job = new RunningJob(system, meter, request, null)
  system.processes.spawnAside(spawnRequest(request), job, (started) =>
    told(begun(request, job, started)),
  )
}

function spawnRequest(request: LaunchRequest): SpawnRequest {
  return {
    command: request.command,
    environment: {
      ...request.environment,
      ...taskEnvironment(request.taskId, request.environment),
      // Also where there is none: an outer job's is not ours to write to.
      [marksVariable]: request.marksPath,
      [requestVariable]:
        request.requirements === undefined ? undefined : requestMark(request.requirements),
    },
    workingDirectory: request.workingDirectory,
    group: request.group,
    ...(request.isOneOfMany === undefined ? {} : { isBranded: true }),
    ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
    ...(request.stdout === undefined ? {} : { stdout: request.stdout }),
    ...(request.stderr === undefined ? {} : { stderr: request.stderr }),
    ...(request.ownLogs === undefined ? {} : { ownLogs: request.ownLogs }),
  }
}

function begun(request: LaunchRequest, job: RunningJob, started: SpawnResult): Launched {
  if (started.kind === 'started') {
    job.begin(started)
    return { kind: 'running', job }
  }
  return {
    kind: 'not-started',
    forWantOfRoom: roomErrors.has(started.errorCode),
    result: {
      durationSeconds: 0,
      outcome: nameFailedStart(started),
      usage: unwatchedUsage({}, 'it was never started'),
      samples: {
        collected: 0,
        intervalSeconds: request.intervalSeconds,
        late: 0,
        ownCpuSeconds: null,
      },
      outline: [],
    },
  }
}

export type Launched =
  | { readonly kind: 'running'; readonly job: RunningJob }
  | {
      readonly kind: 'not-started'
      /** It may start when others have ended. */
      readonly forWantOfRoom: boolean
      readonly result: LaunchResult
    }

/** No more files may be open, or no more processes be there (`ulimit -n`, `ulimit -u`). */
const roomErrors: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN'])

function spawnInside(cgroup: JobCgroup | null, start: (into?: string) => SpawnResult): SpawnResult {
  return cgroup === null
    ? start()
    : cgroup.startInside(start, (result) => result.kind === 'started')
}
