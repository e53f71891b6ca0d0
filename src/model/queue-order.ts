import type { Job } from './job.ts'
import {
  isNumber,
  isRecord,
  isText,
  isTextOrNull,
  isTexts,
  readVersioned,
  unknownFormat,
} from './json-shape.ts'
import { ok, type Reading } from './reading.ts'

/** What a queued job is, with all that is needed to run it somewhere: plain data. */
export interface QueueOrder extends Job {
  /** On top of the worker's own; all of it where an attempt of a workflow is ordered. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** What a worker must have. */
  readonly labels: readonly string[]
  /** The container image that the tool of the job runs in; empty where there is none. */
  readonly image: string
  readonly timeoutSeconds: number | null
  readonly memoryLimitBytes: number | null
  readonly graceSeconds: number
  readonly intervalSeconds: number | null
  /** The order of an executor, where a workflow's runner owns the attempt and keeps its record. */
  readonly attempt?: object
}

const orderVersion = 1

export const queueOrderText = (order: QueueOrder): string =>
  JSON.stringify({ version: orderVersion, ...order })

/** An order as it stands in the queue: another build may have written it, or anybody else who can write there. */
export function readQueueOrder(text: string): Reading<QueueOrder> {
  const read = readVersioned(text, orderVersion)
  if (read.kind !== 'ok') return read
  return isOrder(read.value) ? ok(read.value) : unknownFormat
}

function isOrder(order: Readonly<Record<string, unknown>>): order is QueueOrder & typeof order {
  const { name, tool, script, image, labels, tags, params, attempt } = order
  return (
    isRunnable(order) &&
    [name, tool, image].every(isText) &&
    isTextOrNull(script) &&
    [labels, tags].every(isTexts) &&
    isRecord(params) &&
    (attempt === undefined || (isRecord(attempt) && isRunnable(attempt) && hasStreams(attempt)))
  )
}

/** What an order and the attempt of a workflow in it have in common. */
function isRunnable(order: Readonly<Record<string, unknown>>): boolean {
  const { command, workingDirectory, environment, requirements } = order
  return (
    isTexts(command) &&
    isText(command[0]) &&
    isText(workingDirectory) &&
    isRecord(environment) &&
    Object.values(environment).every(isText) &&
    isRecord(requirements) &&
    Object.values(requirements).every(isAmountOrNull) &&
    isAmountOrNull(order['timeoutSeconds']) &&
    isAmountOrNull(order['memoryLimitBytes']) &&
    isAmountOrNull(order['intervalSeconds']) &&
    order['intervalSeconds'] !== 0 &&
    isAmount(order['graceSeconds'])
  )
}

/** What is less than nothing would give a worker room that it does not have. */
const isAmount = (value: unknown): boolean => isNumber(value) && value >= 0
const isAmountOrNull = (value: unknown): boolean => value === null || isAmount(value)

/** The files of its standard streams, as far as it names them. */
const hasStreams = ({ stdin = '', stdout = '', stderr = '' }: Readonly<Record<string, unknown>>) =>
  [stdin, stdout, stderr].every(isText)
