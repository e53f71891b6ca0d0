import type { DeviceRows } from '../../model/series.ts'
import { statSync } from 'node:fs'
import { sampleNames } from '../../model/sample.ts'
import type { AttemptEnd, AttemptStart } from '../ledger/store.ts'
import { arranged, rowsOf } from '../series/held-series.ts'
import {
  isNamedAfter,
  misnamed,
  readBetween,
  readSpool,
  readSpoolFile,
  type SpoolTrouble,
} from './read-spool.ts'
import { parseContent, parseHeading, wholeLines, type SpoolHeading } from './spool-text.ts'

/** What a file of the spool says that it did not say before. */
export interface SpoolGrowth {
  readonly kind: 'growth'
  readonly start: AttemptStart
  /** New rows, in the columns of this build, and the place of the first of them in the whole series. */
  readonly firstRow: number
  readonly rows: readonly Float64Array[]
  /** The same for rows of devices, counted over all of them as they were written. */
  readonly firstDeviceRow: number
  readonly devices: readonly DeviceRows[]
  /** How it ended, if that was written by now. */
  readonly end: AttemptEnd | null
}

/** `same`: nothing was added. `nothing` also stands for a file without a whole first line. */
export type SpoolNews = SpoolGrowth | SpoolTrouble | { readonly kind: 'same' | 'newer' }

/**
 * Follows one file of the spool while its writer adds to it, and reads each line once. The file is never open in between:
 * it may be renamed, taken in or put back at any moment, and is known by its name alone.
 */
export class SpoolTail {
  readonly path: string
  #inode = -1
  #sizeBytes = 0
  #modifiedSeconds = 0
  /** After the last whole line that was read. */
  #offset = 0
  #heading: SpoolHeading | undefined
  #rows = 0
  #deviceRows = 0
  #end: AttemptEnd | null = null

  constructor(path: string) {
    this.path = path
  }

  /** When its writer last gave a sign of life, by the writer's clock, as of the last look; 0 before it was seen. */
  get modifiedSeconds(): number {
    return this.#modifiedSeconds
  }

  read(): SpoolNews {
    const found = statSync(this.path, { throwIfNoEntry: false })
    if (found === undefined) return { kind: 'nothing' }
    this.#modifiedSeconds = found.mtimeMs / 1000
    if (found.ino === this.#inode && found.size === this.#sizeBytes) return { kind: 'same' }
    return readSpoolFile(this.path, (descriptor, { ino, size }) => {
      // Another file of that name says all from its beginning.
      if (ino !== this.#inode || size < this.#offset) this.#beginAnew(ino)
      this.#sizeBytes = size
      return this.#take(readBetween(descriptor, this.#offset, size))
    })
  }

  #beginAnew(inode: number): void {
    this.#inode = inode
    this.#offset = 0
    this.#heading = undefined
    this.#end = null
  }

  #take(bytes: Uint8Array): SpoolNews {
    const length = bytes.lastIndexOf(lineFeed) + 1
    const lines = wholeLines(bytes.subarray(0, length))
    if (this.#heading === undefined) {
      const trouble = this.#takeHeading(lines.next())
      if (trouble !== undefined) return trouble
    }
    this.#offset += length
    return this.#heading === undefined ? { kind: 'nothing' } : this.#grown(this.#heading, lines)
  }

  #takeHeading(first: IteratorResult<string, undefined>): SpoolNews | undefined {
    if (first.done) return { kind: 'nothing' }
    const heading = parseHeading(first.value)
    if ('kind' in heading) return heading
    if (!isNamedAfter(this.path, heading.start.taskId)) return misnamed
    this.#heading = heading
    this.#rows = heading.samplesBefore
    this.#deviceRows = heading.deviceRowsBefore
    return undefined
  }

  /** All rows of its samples, in order of time; none where it is gone. */
  wholeSeries(): readonly Float64Array[] {
    const found = readSpool(this.path)
    if (found.kind !== 'attempt') return []
    const { columns = sampleNames, rows, count } = found.attempt
    const written = { columns, rows: rowsOf(columns.length, rows, count) }
    return arranged([written], { columns: sampleNames }).rows
  }

  #grown(heading: SpoolHeading, lines: Iterable<string>): SpoolGrowth {
    const { start, columns } = heading
    const [firstRow, firstDeviceRow] = [this.#rows, this.#deviceRows]
    const rows: Float64Array[] = []
    const devices: DeviceRows[] = []
    for (const line of lines) {
      const told = parseContent(line, heading)
      // Whoever takes the file in judges damage; what follows it counts for nothing.
      if (told === undefined || this.#end !== null) continue
      if (told.kind === 'samples')
        rows.push(...rowsOf(columns.length, told.rows, told.rows.length / columns.length))
      else if (told.kind === 'device') devices.push(told.device)
      else this.#end = told.end
    }
    this.#rows += rows.length
    this.#deviceRows += devices.reduce((sum, { count }) => sum + count, 0)
    return {
      kind: 'growth',
      start,
      firstRow,
      rows: arranged([{ columns, rows }], { columns: sampleNames }).rows,
      firstDeviceRow,
      devices,
      end: this.#end,
    }
  }
}

const lineFeed = 10
/** Longer than most last lines. */
const lastBytes = 16_384

/** Whether the last line of a file says how its attempt ended: quickly, for there may be thousands that nobody took in. */
export function hasEnd(file: string): boolean {
  const found = readSpoolFile(file, (descriptor, { size }) => {
    const end = Buffer.from(readBetween(descriptor, Math.max(0, size - lastBytes), size))
    if (end.at(-1) !== lineFeed) return false
    const from = end.lastIndexOf(lineFeed, end.length - 2) + 1
    return end.toString('latin1', from, from + endBegins.length) === endBegins
  })
  return found === true
}

const endBegins = '{"end":'
