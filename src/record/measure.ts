import { JobCgroups } from '../launch/job-cgroups.ts'
import { launch, mayRunContainer } from '../launch/launch.ts'
import type { LaunchRequest, StragglerPolicy } from '../launch/request.ts'
import { Meter } from '../meter/meter.ts'
import { describeJob } from '../model/describe-job.ts'
import type { Job, Requirements } from '../model/job.ts'
import type { JobRecord } from '../model/record.ts'
import { wellFormed } from '../model/well-formed.ts'
import { givenDirectory, givenEnvironment } from '../system/given.ts'
import { realSystem } from '../system/real.ts'
import { ledgerPlace } from './ledger-place.ts'
import { Recording } from './recording.ts'

/** Every option has a sensible default. */
export interface MeasureOptions {
  /** The ledger that keeps the record; by default the user's own. */
  readonly ledger?: string
  readonly name?: string
  readonly params?: Job['params']
  readonly tags?: readonly string[]
  /** What the job asks for. It is recorded, not enforced. */
  readonly requirements?: Partial<Requirements>
  readonly workingDirectory?: string
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Files to use instead of our own standard streams; output is appended to them. */
  readonly stdin?: string
  readonly stdout?: string
  readonly stderr?: string
  /** Time between samples; 1 by default. */
  readonly intervalSeconds?: number
  readonly timeoutSeconds?: number
  readonly memoryLimitBytes?: number
  /** Time between asking the job to end and killing it; 10 by default. */
  readonly graceSeconds?: number
  readonly stragglers?: StragglerPolicy
  /** Ends the job when the signal is aborted. */
  readonly signal?: AbortSignal
  /** Is called with each problem in keeping the record. Such problems do not affect the job itself. */
  readonly onProblem?: (problem: string) => void
}

/**
 * Runs a command, measures every process that belongs to it, and returns its record once that is in the ledger. A command
 * that fails or does not exist is an outcome, not an exception. If the file is not a ledger of this version, an exception
 * is thrown before anything is started. If the ledger is locked, full or read-only, the record has no job id, and stays
 * outside the ledger until it can be imported.
 */
export async function measure(
  command: readonly string[],
  options: MeasureOptions = {},
): Promise<JobRecord> {
  const { system, meter, cgroups } = thisMachine()
  const workingDirectory = options.workingDirectory ?? process.cwd()
  // The record is for people, and is well-formed; the job gets every byte.
  const { name, params, tags, requirements } = options
  const known = wellFormed({ name, params, tags, workingDirectory })
  const job = describeJob(wellFormed(command), { ...known, requirements })
  const intervalSeconds = options.intervalSeconds ?? 1
  const { path: ledger, passedOver } = ledgerPlace(system, options.ledger, process.env)
  if (passedOver !== null)
    options.onProblem?.(`using root's ledger ${ledger}, because others can change ${passedOver}`)
  const recording = await Recording.begin(system, ledger, job, {
    machineMemoryBytes: meter.machineMemoryBytes(),
    columns: meter.columns,
    intervalSeconds,
    alone: false,
  })
  const request: LaunchRequest = {
    taskId: recording.taskId,
    command,
    environment: options.environment ?? givenEnvironment(),
    workingDirectory: options.workingDirectory ?? givenDirectory(workingDirectory),
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    ...(options.stdout === undefined ? {} : { stdout: options.stdout }),
    ...(options.stderr === undefined ? {} : { stderr: options.stderr }),
    group: 'own',
    intervalSeconds,
    timeoutSeconds: options.timeoutSeconds ?? null,
    memoryLimitBytes: options.memoryLimitBytes ?? null,
    graceSeconds: options.graceSeconds ?? 10,
    stragglers: options.stragglers ?? 'leave',
    ownCgroup: true,
    onSamples: recording.addSamples,
    onDevices: recording.addDevices,
  }
  const contained = mayRunContainer(command)
    ? (await import('../launch/container/launch-contained.ts')).launchContained(
        system,
        meter,
        cgroups,
        request,
      )
    : undefined
  const launched = contained?.launched ?? launch(system, meter, cgroups, request)
  const end = (): void => {
    if (launched.kind === 'running') launched.job.signal('SIGTERM', false)
  }
  if (options.signal?.aborted) end()
  options.signal?.addEventListener('abort', end)
  const done = launched.kind === 'running' ? launched.job.done : launched.result
  const result = await (contained?.done ?? done)
  options.signal?.removeEventListener('abort', end)
  const record = recording.finish(result)
  const inLedger = await recording.inLedger()
  if (options.onProblem !== undefined) recording.problems.forEach(options.onProblem)
  return { ...record, jobId: inLedger?.jobId ?? null, attempt: 1 }
}

let machine: ReturnType<typeof openMachine> | undefined

/** One timer and one reaper serve all calls. */
const thisMachine = (): ReturnType<typeof openMachine> => (machine ??= openMachine())

function openMachine() {
  const system = realSystem({ ownsProcess: false })
  return { system, meter: new Meter(system), cgroups: new JobCgroups(system) }
}
