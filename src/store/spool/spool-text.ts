import type { Columns, DeviceRows } from '../../model/series.ts'
import type { Measured } from '../../model/measured.ts'
import { isFurtherKey, usageKeys, type Usage } from '../../model/usage.ts'
import { figureOf, unknownThen } from '../figure.ts'
import type { AttemptEnd, AttemptStart, SpooledAttempt } from '../ledger/store.ts'
import { areColumns, isDeviceId, isDeviceKind } from '../series/columns.ts'
import { isAmount, isCount, isInstant, isObject } from '../valid.ts'
import { isAttemptEnd, isAttemptStart } from './attempt-shape.ts'
import { checksum } from './checksum.ts'
import { spoolVersion } from './spool-lines.ts'
import { upgradeHeading } from './spool-upgrade.ts'

const seal = /,"sum":"([0-9a-f]{8})"\}$/

export type SpoolText =
  | {
      readonly kind: 'attempt'
      readonly attempt: SpooledAttempt
      /** What is wrong with the first line that cannot be used; it and all that follow are left out. */
      readonly damage: string | null
    }
  /** No whole first line: its job was never started. */
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'newer' }
  | { readonly kind: 'broken'; readonly why: string }

/** What the first line of a file says. */
export interface SpoolHeading {
  /** The version that its lines are written in. */
  readonly spool: number
  readonly columns: Columns
  readonly samplesBefore: number
  readonly deviceRowsBefore: number
  readonly start: AttemptStart
}

/** Reads a file of the spool. What follows its last whole line was cut off by a kill, and is as good as not written. */
export function parseSpool(bytes: Uint8Array): SpoolText {
  const lines = wholeLines(bytes)
  const first = lines.next()
  if (first.done) return { kind: 'unfinished' }
  const heading = parseHeading(first.value)
  return 'kind' in heading ? heading : parseRest(heading, lines)
}

/** Reads the first line of a file. */
export function parseHeading(
  line: string,
): SpoolHeading | Extract<SpoolText, { kind: 'newer' | 'broken' }> {
  const entry = parseEntry(line)
  if (entry === undefined) return { kind: 'broken', why: 'its first line is damaged' }
  if (entry.isSealed && isCount(entry.fields['spool']) && entry.fields['spool'] > spoolVersion)
    return { kind: 'newer' }
  return headingOf(entry) ?? { kind: 'broken', why: 'its first line is not one of ours' }
}

/** Reads any other line; undefined for one that is damaged. */
export const parseContent = (line: string, heading: SpoolHeading): SpoolContent | undefined =>
  contentOf(parseEntry(line), heading)

/** The lines of these bytes that have an end. */
export function* wholeLines(bytes: Uint8Array): Generator<string, undefined> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let from = 0, to = text.indexOf(10); to >= 0; from = to + 1, to = text.indexOf(10, from))
    yield text.toString('utf8', from, to)
  return undefined
}

interface Entry {
  readonly fields: Readonly<Record<string, unknown>>
  /** Whether it carries its sum. One with a wrong sum is no entry at all. */
  readonly isSealed: boolean
}

function parseEntry(line: string): Entry | undefined {
  const found = seal.exec(line)
  if (found !== null && checksum(line.slice(0, found.index)) !== found[1]) return undefined
  try {
    const fields: unknown = JSON.parse(line)
    return isObject(fields) ? { fields, isSealed: found !== null } : undefined
  } catch {
    return undefined
  }
}

function headingOf({ fields, isSealed }: Entry): SpoolHeading | undefined {
  const { spool } = fields
  if (!isCount(spool) || spool < 1 || (spool > 1 && !isSealed)) return undefined
  const { columns, samplesBefore, deviceRowsBefore, start } = upgradeHeading(spool, fields)
  return areColumns(columns) &&
    isCount(samplesBefore) &&
    isCount(deviceRowsBefore) &&
    isAttemptStart(start)
    ? { spool, columns, samplesBefore, deviceRowsBefore, start }
    : undefined
}

function parseRest(heading: SpoolHeading, lines: Iterable<string>): SpoolText {
  const parts: Float64Array[] = []
  const devices: DeviceRows[] = []
  let end: AttemptEnd | null = null
  let damage: string | null = null
  let lineNumber = 1
  for (const line of lines) {
    lineNumber += 1
    const entry = parseEntry(line)
    // Version 1 went on after a line that a full disk had cut short.
    if (entry === undefined && heading.spool === 1) continue
    const told: SpoolContent | undefined = end === null ? contentOf(entry, heading) : undefined
    if (told === undefined) {
      damage = `line ${lineNumber} is damaged`
      break
    }
    if (told.kind === 'samples') parts.push(told.rows)
    else if (told.kind === 'device') devices.push(told.device)
    else end = told.end
  }
  const { columns, samplesBefore, deviceRowsBefore, start } = heading
  const rows = joined(parts)
  const count = rows.length / columns.length
  const before = { samplesBefore, deviceRowsBefore }
  const attempt = { start, ...before, columns, rows, count, devices, end }
  return { kind: 'attempt', attempt, damage }
}

export type SpoolContent =
  | { readonly kind: 'samples'; readonly rows: Float64Array }
  | { readonly kind: 'device'; readonly device: DeviceRows }
  | { readonly kind: 'end'; readonly end: AttemptEnd }

function contentOf(entry: Entry | undefined, heading: SpoolHeading): SpoolContent | undefined {
  if (entry === undefined || (heading.spool > 1 && !entry.isSealed)) return undefined
  const { samples, device, end: told } = entry.fields
  if (samples !== undefined) {
    const rows = numbersOf(samples, heading.columns)
    return rows === undefined ? undefined : { kind: 'samples', rows }
  }
  if (device !== undefined) return deviceOf(device)
  if (!isAttemptEnd(told)) return undefined
  const usage = usageOf(told.usage)
  return usage === undefined ? undefined : { kind: 'end', end: { ...told, usage } }
}

function usageOf(stored: object): Usage | undefined {
  const usage: Partial<Record<string, Measured>> = {}
  const known = new Map<string, unknown>(Object.entries(stored))
  for (const key of usageKeys) {
    const figure = known.has(key) ? figureOf(known.get(key)) : unknownThen
    if (figure === undefined) return undefined
    usage[key] = figure
  }
  for (const [key, entry] of known) {
    if (!isFurtherKey(key)) continue
    const figure = figureOf(entry)
    if (figure !== undefined) usage[key] = figure
  }
  return usage as Usage
}

function deviceOf(told: unknown): SpoolContent | undefined {
  if (!isObject(told)) return undefined
  const { kind, id, columns, rows: encoded } = told
  if (!isDeviceKind(kind) || !isDeviceId(id) || !areColumns(columns)) return undefined
  const rows = numbersOf(encoded, columns)
  if (rows === undefined) return undefined
  const count = rows.length / columns.length
  return { kind: 'device', device: { kind, id, columns, rows, count } }
}

/** The numbers of whole rows. */
function numbersOf(base64: unknown, columns: Columns): Float64Array | undefined {
  if (typeof base64 !== 'string') return undefined
  const bytes = Buffer.from(base64, 'base64')
  const width = columns.length
  if (bytes.length % (width * 8) !== 0 || bytes.toString('base64') !== base64) return undefined
  const numbers = new Float64Array(new Uint8Array(bytes).buffer)
  const checks = columns.map((name) => (times.has(name) ? isInstant : isAmount))
  for (let index = 0; index < numbers.length; index++) {
    const value = numbers[index]
    // NaN is "not measured".
    if (!Number.isNaN(value) && checks[index % width]?.(value) !== true) return undefined
  }
  return numbers
}

const times: ReadonlySet<string> = new Set(['timestamp', 'elapsed_seconds'])

function joined(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
