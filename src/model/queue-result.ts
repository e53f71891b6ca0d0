import {
  isListOf,
  isNumber,
  isNumberOrNull,
  isRecord,
  isText,
  isTextOrNull,
  isTexts,
  readVersioned,
  unknownFormat,
} from './json-shape.ts'
import type { Machine } from './machine.ts'
import type { Mark } from './marks/mark.ts'
import { outcomeStatuses, type Outcome } from './outcome.ts'
import { ok, type Reading } from './reading.ts'
import type { SamplingFacts } from './record.ts'
import type { Device } from './series.ts'
import { emptyUsage, type Usage } from './usage.ts'

/** What a worker tells the queue of an attempt that is over. */
export interface QueueResult {
  readonly startedAt: number
  readonly user: string
  readonly machine: Machine
  readonly result: {
    readonly durationSeconds: number
    readonly outcome: Outcome
    readonly usage: Usage
    readonly samples: SamplingFacts
    readonly marks?: readonly Mark[]
  }
  /** Of an attempt whose record somebody else keeps: its samples, thinned where there are many. */
  readonly series?: PackedRows
}

/** Rows of samples as text: base64 of the values, least byte first. */
export interface PackedRows {
  readonly columns: readonly string[]
  readonly values: string
  readonly devices?: readonly (PackedRows & Device)[]
}

/** Results of builds that wrote no version are of the first. */
const resultVersion = 1

export const queueResultText = (result: QueueResult): string =>
  JSON.stringify({ version: resultVersion, ...result })

/** A result as it stands in the queue: another build may have written it, or anybody else who can write there. */
export function readQueueResult(text: string): Reading<QueueResult> {
  const read = readVersioned(text, resultVersion)
  if (read.kind !== 'ok') return read
  const { startedAt, user, machine, result, series } = read.value
  const isWhole =
    isNumber(startedAt) &&
    isText(user) &&
    isMachine(machine) &&
    isMeasuredResult(result) &&
    (series === undefined || isPackedRows(series))
  if (!isWhole) return unknownFormat
  const usage = { ...emptyUsage('not told by its worker'), ...result.usage }
  const told = { startedAt, user, machine, result: { ...result, usage } }
  return ok(series === undefined ? told : { ...told, series })
}

function isMeasuredResult(value: unknown): value is QueueResult['result'] {
  if (!isRecord(value)) return false
  const { durationSeconds, outcome, usage, samples, marks } = value
  return (
    isNumber(durationSeconds) &&
    durationSeconds >= 0 &&
    isOutcome(outcome) &&
    isRecord(usage) &&
    Object.values(usage).every(isMeasured) &&
    isSamplingFacts(samples) &&
    (marks === undefined || isListOf(marks, isMark))
  )
}

function isOutcome(value: unknown): value is Outcome {
  if (!isRecord(value)) return false
  const { status, exitCode, signal, reason, stragglers } = value
  return (
    [...outcomeStatuses, 'unknown'].some((known) => known === status) &&
    isNumberOrNull(exitCode) &&
    isTextOrNull(signal) &&
    isTextOrNull(reason) &&
    isListOf(
      stragglers,
      (each) => isRecord(each) && isNumber(each['pid']) && isText(each['command']),
    )
  )
}

function isSamplingFacts(value: unknown): value is SamplingFacts {
  if (!isRecord(value)) return false
  const { collected, intervalSeconds, late, ownCpuSeconds } = value
  return [collected, late].every(isNumber) && [intervalSeconds, ownCpuSeconds].every(isNumberOrNull)
}

const isMachine = (value: unknown): value is Machine =>
  isRecord(value) &&
  isText(value['host']) &&
  isNumber(value['cores']) &&
  isNumberOrNull(value['memoryBytes'])

const isMeasured = (value: unknown): boolean =>
  isRecord(value) &&
  (value['value'] === null
    ? isText(value['why'])
    : isNumber(value['value']) && isText(value['basis']))

function isMark(value: unknown): value is Mark {
  if (!isRecord(value)) return false
  const { timestamp, elapsedSeconds, step, epoch, phase, message } = value
  return (
    [timestamp, elapsedSeconds].every(isNumber) &&
    [step, epoch].every(isNumberOrNull) &&
    [phase, message].every(isTextOrNull)
  )
}

function isPackedRows(value: unknown): value is PackedRows {
  if (!isRecord(value)) return false
  const { columns, values, devices } = value
  return (
    isTexts(columns) &&
    isText(values) &&
    (devices === undefined || isListOf(devices, isPackedDevice))
  )
}

const isPackedDevice = (value: unknown): boolean =>
  isRecord(value) && isText(value['kind']) && isText(value['id']) && isPackedRows(value)
