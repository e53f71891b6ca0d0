import { dirname } from 'node:path'
import { describeJob } from '../../model/describe-job.ts'
import type { Machine } from '../../model/machine.ts'
import type { QueueOrder } from '../../model/queue.ts'
import { wellFormed } from '../../model/well-formed.ts'
import type { TakenAttempt } from '../../store/postgres/queue/take.ts'
import type { System } from '../../system/system.ts'
import type { AttemptOrder, AttemptResult } from '../../workflow/run/executor.ts'
import { GatheredRows } from '../../workflow/executors/queue/packed-rows.ts'
import type { QueueResult } from '../../workflow/executors/queue/queue-result.ts'
import { environmentThere } from '../../workflow/executors/remote/site-environment.ts'
import type { Place } from '../../workflow/run/capacity.ts'
import type { AttemptRecording } from './attempt-in-ledger.ts'
import { logPathsFor } from './worker-logs.ts'
import type { WorkerRecords } from './worker-records.ts'

/** An attempt that a worker has begun. */
export interface HeldAttempt {
  readonly taken: TakenAttempt
  readonly place: Place
  readonly order: AttemptOrder
  /** null where the runner of a workflow keeps the record. */
  readonly recording: AttemptRecording | null
  /** Of an attempt whose record is kept elsewhere. */
  readonly rows: GatheredRows | null
  readonly startedAt: number
  /** Requests to end it that were passed on. */
  requests: number
  isTold: boolean
  /** Why its end is none of its own. */
  interruptedBy: string | null
}

interface HoldTools {
  readonly system: System
  readonly machine: Machine
  readonly records: WorkerRecords
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where what jobs print goes. */
  readonly logDirectory: string
  /** Of the worker, in their names. */
  readonly sign: string
}

/** Writes an attempt down before it starts. */
export function holdAttempt(tools: HoldTools, taken: TakenAttempt, place: Place): HeldAttempt {
  const { system, records } = tools
  const { taskId, order } = taken
  const ordered = order.attempt as AttemptOrder | undefined
  const recording =
    ordered === undefined ? records.begin(jobOf(order), taskId, order.intervalSeconds) : null
  const startedAt = recording?.startedAt ?? system.clock.wallSeconds()
  const made =
    ordered === undefined
      ? commandOrder(tools, taken, place)
      : workflowOrder(tools, { ...ordered, taskId }, place)
  return {
    taken,
    place,
    order: { ...made, recordedStart: startedAt },
    recording,
    rows: recording === null ? new GatheredRows() : null,
    startedAt,
    requests: 0,
    isTold: false,
    interruptedBy: null,
  }
}

const jobOf = ({ command, ...known }: QueueOrder) =>
  describeJob(wellFormed(command), wellFormed({ ...known, script: known.script ?? undefined }))

/** A job that did not say how many GPUs it needs sees what its worker sees. */
function gpuLists(requirements: QueueOrder['requirements'], { gpus }: Place) {
  if (requirements.gpus === null) return {}
  const list = gpus.join(',')
  return { CUDA_VISIBLE_DEVICES: list, ROCR_VISIBLE_DEVICES: list }
}

function commandOrder(tools: HoldTools, taken: TakenAttempt, place: Place): AttemptOrder {
  const { taskId, jobId, number, order } = taken
  return {
    taskId,
    node: tools.machine.host,
    requirements: order.requirements,
    command: order.command,
    environment: {
      ...tools.environment,
      ...order.environment,
      ...gpuLists(order.requirements, place),
      JOBMETER_QUEUE_ID: jobId,
      JOBMETER_ATTEMPT: String(number),
    },
    workingDirectory: order.workingDirectory,
    group: 'own',
    stdin: '/dev/null',
    ...logPathsFor(tools.logDirectory, tools.sign, taskId),
    ownLogs: true,
    intervalSeconds: order.intervalSeconds,
    timeoutSeconds: order.timeoutSeconds,
    memoryLimitBytes: order.memoryLimitBytes,
    graceSeconds: order.graceSeconds,
    stragglers: 'kill',
    ownCgroup: order.memoryLimitBytes !== null,
    besideCgroups: order.memoryLimitBytes !== null,
  }
}

/** With what its runner gave it, but for what is true of another place. */
function workflowOrder(tools: HoldTools, order: AttemptOrder, place: Place): AttemptOrder {
  const { stdout, stderr, requirements } = order
  const environment = environmentThere(order.environment, tools.environment, requirements)
  for (const path of [stdout, stderr])
    if (path !== undefined && path !== '/dev/null')
      tools.system.files.makeDirectories(dirname(path))
  return {
    ...order,
    // Whatever the order says: a link may lead to where the worker does not let jobs write.
    ownLogs: true,
    node: tools.machine.host,
    environment: { ...environment, ...gpuLists(requirements, place) },
  }
}

/** What there is to tell of an attempt that is over, once its record is kept on this machine. */
export function resultOf(
  held: HeldAttempt,
  ended: AttemptResult,
  { system, machine }: Pick<HoldTools, 'system' | 'machine'>,
): QueueResult {
  const outcome =
    held.interruptedBy === null
      ? ended.outcome
      : { ...ended.outcome, status: 'interrupted' as const, reason: held.interruptedBy }
  const result = { ...ended, outcome }
  held.recording?.finish(result)
  const series = held.rows?.packed()
  const told = { startedAt: held.startedAt, user: system.host.user, machine, result }
  return series === undefined ? told : { ...told, series }
}
