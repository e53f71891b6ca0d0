import { JobCgroups } from '../launch/job-cgroups.ts'
import { launch, mayRunContainer } from '../launch/launch.ts'
import type { LaunchRequest } from '../launch/request.ts'
import { Meter } from '../meter/meter.ts'
import { describeJob } from '../model/describe-job.ts'
import type { JobRecord } from '../model/record.ts'
import { wellFormed } from '../model/well-formed.ts'
import { backgroundSystem } from '../system/background-system.ts'
import { givenDirectory, givenEnvironment } from '../system/given.ts'
import { realClock } from '../system/real-clock.ts'
import { ledgerPlace } from './ledger-place.ts'
import { checkMeasure } from './measure-input.ts'
import type { MeasureOptions } from './measure-options.ts'
import { Recording } from './recording.ts'

/**
 * Runs a command, measures every process that belongs to it, and returns its record once that is in the ledger. A command
 * that fails or does not exist is an outcome, not an exception. If the file is not a ledger of this version, an exception
 * is thrown before anything is started. If the ledger is locked, full or read-only, the record has no job id, and stays
 * outside the ledger until it can be imported.
 *
 * @example
 * ```ts
 * import { measure, type JobRecord, type MeasureOptions } from 'jobmeter'
 *
 * const options: MeasureOptions = { name: 'count', tags: ['nightly'], timeoutSeconds: 60 }
 * const record: JobRecord = await measure(['sh', '-c', 'exit 3'], options)
 * console.log(record.status, record.exitCode) // failed 3
 * const { cpuTotalSeconds } = record.usage
 * console.log(cpuTotalSeconds.value === null ? cpuTotalSeconds.why : `${cpuTotalSeconds.value} s`)
 * ```
 */
export async function measure(
  command: readonly string[],
  options: MeasureOptions = {},
): Promise<JobRecord> {
  checkMeasure(command, options)
  return measureTask(undefined, command, options)
}

/** The same under a task id that is known before: 32 hexadecimal digits that nobody else has. */
export async function measureTask(
  taskId: string | undefined,
  command: readonly string[],
  options: MeasureOptions,
): Promise<JobRecord> {
  const { system, meter, cgroups } = thisMachine()
  const workingDirectory = options.workingDirectory ?? process.cwd()
  // The record is for people, and is well-formed; the job gets every byte.
  const { name, tool, script, params, tags, requirements } = options
  const known = wellFormed({ name, tool, script, params, tags, workingDirectory })
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
    ...(taskId === undefined ? {} : { taskId }),
  })
  const request: LaunchRequest = {
    taskId: recording.taskId,
    command,
    environment: options.environment ?? givenEnvironment(),
    workingDirectory: options.workingDirectory ?? givenDirectory(workingDirectory),
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    ...(options.stdout === undefined ? {} : { stdout: options.stdout }),
    ...(options.stderr === undefined ? {} : { stderr: options.stderr }),
    ...recording.marks,
    requirements: job.requirements,
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
    ? await (
        await import('../launch/container/launch-contained.ts')
      ).launchContained(system, meter, cgroups, request)
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
  // What others in this program have open of the machine is shared; who waits for a job has timers that keep it alive.
  const system = { ...backgroundSystem(), clock: realClock }
  return { system, meter: new Meter(system), cgroups: new JobCgroups(system) }
}
