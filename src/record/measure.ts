import { JobCgroups } from '../launch/job-cgroups.ts'
import { launch } from '../launch/launch.ts'
import type { StragglerPolicy } from '../launch/request.ts'
import { Meter } from '../meter/meter.ts'
import { describeJob } from '../model/describe-job.ts'
import type { Job, Requirements } from '../model/job.ts'
import type { JobRecord } from '../model/record.ts'
import { wellFormed } from '../model/well-formed.ts'
import { givenDirectory, givenEnvironment } from '../system/given.ts'
import { realSystem } from '../system/real.ts'
import { ledgerPlace } from './ledger-place.ts'
import { Recording } from './recording.ts'

/** Everything has a sensible value where it is left out. */
export interface MeasureOptions {
  /** Where the record is kept; the user's own ledger unless told otherwise. */
  readonly ledger?: string
  readonly name?: string
  readonly params?: Job['params']
  readonly tags?: readonly string[]
  /** What the job asks for; nothing is enforced by it. */
  readonly requirements?: Partial<Requirements>
  readonly workingDirectory?: string
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Files in place of our own standard streams; output is added at their end. */
  readonly stdin?: string
  readonly stdout?: string
  readonly stderr?: string
  /** Time between looks; 1 unless told otherwise. */
  readonly intervalSeconds?: number
  readonly timeoutSeconds?: number
  readonly memoryLimitBytes?: number
  /** Time between asking the job to end and killing it; 10 unless told otherwise. */
  readonly graceSeconds?: number
  readonly stragglers?: StragglerPolicy
  /** Ends the job when it is aborted. */
  readonly signal?: AbortSignal
  /** Hears what of the record could not be kept; the job itself is not touched by that. */
  readonly onProblem?: (problem: string) => void
}

/**
 * Runs a command, measures every process that belongs to it, and answers its record once it is in the ledger. A command
 * that fails, or is not there, is an outcome and not an exception; a file that is no ledger of this version is one, before
 * anything is started. A ledger that is locked, full or not to be written to leaves the record without its number, and
 * outside the ledger until it can be taken in.
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
    options.onProblem?.(`root's ledger is ${ledger}; others can change ${passedOver}`)
  const recording = await Recording.begin(system, ledger, job, {
    machineMemoryBytes: meter.machineMemoryBytes(),
    columns: meter.columns,
    intervalSeconds,
    alone: false,
  })
  const launched = launch(system, meter, cgroups, {
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
  })
  const end = (): void => {
    if (launched.kind === 'running') launched.job.signal('SIGTERM', false)
  }
  if (options.signal?.aborted) end()
  options.signal?.addEventListener('abort', end)
  const result = launched.kind === 'running' ? await launched.job.done : launched.result
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
