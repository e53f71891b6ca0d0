import { measured, type Measured } from '../../model/measured.ts'
import { sampleWidth } from '../../model/sample.ts'
import type { Usage } from '../../model/usage.ts'
import type { AttemptEnd, AttemptStart, SpooledAttempt } from '../store.ts'

/** What a file of the spool is written in; a newer one is left to the build that wrote it. */
const spoolVersion = 1

/** The first line: all that is known of an attempt before it runs. */
export function startLine(start: AttemptStart): string {
  return `${JSON.stringify({ spool: spoolVersion, sampleWidth, start })}\n`
}

/** The bytes of the numbers: exact, NaN and all, and as quick to write as to read. */
export function samplesLine(rows: Float64Array, count: number): string {
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, count * sampleWidth * 8)
  return `${JSON.stringify({ samples: bytes.toString('base64') })}\n`
}

/** The last line. */
export function endLine(end: AttemptEnd): string {
  return `${JSON.stringify({ end })}\n`
}

export type SpoolText =
  | { readonly kind: 'attempt'; readonly attempt: SpooledAttempt }
  /** No whole first line: its job was never started. */
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'newer' }
  | { readonly kind: 'garbage' }

interface Heading {
  readonly sampleWidth: number
  readonly start: AttemptStart
}

/**
 * Reads a file of the spool. What follows its last whole line was cut off by a kill, and is as good as not written; so is a line that
 * a full disk cut short.
 */
export function parseSpool(text: string): SpoolText {
  const lines = text.split('\n').slice(0, -1)
  const [first, ...rest] = lines
  if (first === undefined) return { kind: 'unfinished' }
  try {
    const heading: unknown = JSON.parse(first)
    if (isNewer(heading)) return { kind: 'newer' }
    if (!isHeading(heading)) return { kind: 'garbage' }
    return { kind: 'attempt', attempt: parseRest(heading, rest) }
  } catch {
    return { kind: 'garbage' }
  }
}

function parseRest(
  { sampleWidth: width, start }: Heading,
  lines: readonly string[],
): SpooledAttempt {
  const parts: Float64Array[] = []
  let end: AttemptEnd | null = null
  for (const line of lines) {
    const entry = parseEntry(line)
    if (typeof entry?.samples === 'string') parts.push(...rowsOf(entry.samples, width))
    else if (entry?.end !== undefined) end = { ...entry.end, usage: restored(entry.end.usage) }
  }
  const rows = new Float64Array(parts.length * sampleWidth)
  parts.forEach((row, index) => rows.set(row, index * sampleWidth))
  return { start, rows, count: parts.length, end }
}

function parseEntry(line: string): { samples?: string; end?: AttemptEnd } | undefined {
  try {
    return JSON.parse(line) as { samples?: string; end?: AttemptEnd }
  } catch {
    return undefined
  }
}

/** JSON has no NaN or infinity: such a figure comes back without its number. */
function restored(usage: Usage): Usage {
  const figures = Object.entries(usage).map(([key, figure]): [string, Measured] => [
    key,
    figure.value === null && 'basis' in figure
      ? measured(Number.NaN, String(figure.basis))
      : figure,
  ])
  return Object.fromEntries(figures) as Usage
}

/** A build that knew fewer columns measured none of the others. */
function rowsOf(base64: string, width: number): Float64Array[] {
  const bytes = Buffer.from(base64, 'base64')
  const numbers = new Float64Array(new Uint8Array(bytes).buffer)
  return Array.from({ length: numbers.length / width }, (_, index) => {
    const row = new Float64Array(sampleWidth).fill(Number.NaN)
    row.set(numbers.subarray(index * width, index * width + Math.min(width, sampleWidth)))
    return row
  })
}

const isNewer = (heading: unknown): boolean =>
  isObject(heading) && typeof heading['spool'] === 'number' && heading['spool'] > spoolVersion

function isHeading(heading: unknown): heading is Heading {
  return (
    isObject(heading) &&
    heading['spool'] === spoolVersion &&
    Number.isInteger(heading['sampleWidth']) &&
    Number(heading['sampleWidth']) > 0 &&
    isObject(heading['start']) &&
    isObject(heading['start']['owner']) &&
    isObject(heading['start']['job']) &&
    typeof heading['start']['taskId'] === 'string'
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
