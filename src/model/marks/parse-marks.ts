import { count, formatCount } from '../count.ts'
import { markLimits, type Mark } from './mark.ts'
import { parseMarkLine, type MarkLine } from './mark-line.ts'

/** So many bytes of the file had been written by then, in seconds since 1970. */
export interface Sighting {
  readonly bytes: number
  readonly at: number
}

export interface MarksFound {
  /** In order of time. */
  readonly marks: readonly Mark[]
  /** What could not be used, for people to read; null where all could. */
  readonly trouble: string | null
}

/** So many lines that are not understood are named. */
const mostNamed = 3

/**
 * The marks that a job wrote. A line that says no time is of the moment at which it was first seen. Whatever else stands in
 * the file is counted, and does no harm.
 */
export function parseMarks(
  bytes: Uint8Array,
  sightings: readonly Sighting[],
  life: { readonly startedAt: number; readonly endedAt: number },
): MarksFound {
  const marks: Mark[] = []
  const faults = { count: 0, named: [] as string[] }
  let leftOut = 0
  let number = 0
  let seen = 0
  let end = 0
  for (const { from, to } of lineEnds(bytes)) {
    if (number >= markLimits.lines) break
    number += 1
    end = to + 1
    while (seen < sightings.length && (sightings[seen]?.bytes ?? 0) < to) seen += 1
    const mark = markIn(bytes.subarray(from, to))
    if (typeof mark === 'string') {
      faults.count += 1
      if (faults.named.length < mostNamed) faults.named.push(`line ${number}: ${mark}`)
    } else if (mark !== null && marks.length >= markLimits.marks) leftOut += 1
    else if (mark !== null) {
      const { time, ...told } = mark
      const timestamp = within(time ?? sightings[seen]?.at ?? life.endedAt, life)
      marks.push({ timestamp, elapsedSeconds: timestamp - life.startedAt, ...told })
    }
  }
  const cut = [
    ...(end < bytes.length ? [count(markLimits.lines, 'line')] : []),
    ...(bytes.length >= markLimits.fileBytes ? [count(markLimits.fileBytes, 'byte')] : []),
  ]
  return {
    marks: marks.toSorted((a, b) => a.timestamp - b.timestamp),
    trouble: troubleWords(faults, leftOut, cut),
  }
}

/** Null for an empty line; a text says what is wrong with one that cannot be used. */
function markIn(line: Uint8Array): MarkLine | string | null {
  if (line.length > markLimits.lineBytes) return `it is longer than ${markLimits.lineBytes} bytes`
  const text = textOf(line)
  if (text === undefined) return 'it is not UTF-8'
  return text === '' ? null : parseMarkLine(text)
}

function troubleWords(
  faults: { readonly count: number; readonly named: readonly string[] },
  leftOut: number,
  cut: readonly string[],
): string | null {
  const named = faults.named.join('; ') + (faults.count > mostNamed ? '; …' : '')
  const troubles = [
    faults.count > 0 ? `${count(faults.count, 'line')} not understood (${named})` : null,
    leftOut > 0
      ? `${formatCount(leftOut)} more than the ${formatCount(markLimits.marks)} that are kept`
      : null,
    cut.length > 0 ? `only the first ${cut.join(' and ')} were read` : null,
  ].filter((trouble) => trouble !== null)
  return troubles.length === 0 ? null : troubles.join('; ')
}

/** The last line may lack its end. */
function* lineEnds(bytes: Uint8Array): Generator<{ readonly from: number; readonly to: number }> {
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(10, from)
    const to = found < 0 ? bytes.length : found
    yield { from, to }
    from = to + 1
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function textOf(line: Uint8Array): string | undefined {
  try {
    return decoder.decode(line).trim()
  } catch {
    return undefined
  }
}

const within = (at: number, { startedAt, endedAt }: { startedAt: number; endedAt: number }) =>
  Math.min(Math.max(at, startedAt), Math.max(startedAt, endedAt))
