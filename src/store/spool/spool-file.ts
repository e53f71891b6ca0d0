import type { Columns, DeviceRows } from '../../model/series.ts'
import { closeSync, ftruncateSync, futimesSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TryLock } from '../../model/file-lock.ts'
import { asStoreError, StoreError } from '../errors.ts'
import type { SignFile } from './life-sign.ts'
import { contentOf, isStillAt, openOwnFile } from '../own-file.ts'
import type { AttemptEnd, AttemptStart } from '../ledger/store.ts'
import { sampleNames } from '../../model/sample.ts'
import { refuseOtherThanColumns } from '../series/columns.ts'
import type { SeriesWriter } from '../series/series.ts'
import { makeGuard, placesToWrite, type SpoolPlace } from './spool-directory.ts'
import { deviceLine, endLine, samplesLine, startLine, type RowsBefore } from './spool-lines.ts'
import { marksName, recordName, signName } from './spool-names.ts'

/** Nine days of samples a second apart. Whoever looks reads all of it. */
const mostSampleBytes = 2 ** 28

interface OpenFile {
  readonly path: string
  readonly directory: string
  readonly descriptor: number
  readonly isLocked: boolean
  /** Of whole lines. */
  length: number
}

interface SpoolSettings {
  readonly tryLock?: TryLock
  /** Of its samples; without it: those of this build. */
  readonly columns?: Columns
  /** How many of its rows are in the ledger already. */
  readonly before?: RowsBefore
  readonly places?: readonly SpoolPlace[]
}

/**
 * One attempt on its way into the ledger, in a file of its own: a command of a few milliseconds should not have to open
 * a database, nor wait for others that write to it. Whoever looks into the ledger next takes it in.
 *
 * The file lies in the first of several places that takes it, and moves on to the next where a line does not fit any
 * more. A kill at any moment leaves whole lines and at most one that is cut off, which the reader drops. The file is
 * locked as long as its writer lives, and is put back if somebody who could not see that took it away.
 */
export class SpoolFile implements SeriesWriter {
  readonly #ledger: string
  readonly #places: readonly SpoolPlace[]
  readonly #columns: Columns
  readonly #before: RowsBefore | undefined
  readonly #tryLock: TryLock
  #start: AttemptStart
  #file: OpenFile | undefined
  #trouble: StoreError | undefined

  /** Writes the attempt down before it runs, so that a killed runner leaves a trace. Never throws: see `trouble`. */
  constructor(ledger: string, start: AttemptStart, settings: SpoolSettings = {}) {
    const { tryLock = () => 'unavailable', columns = sampleNames, places: given } = settings
    refuseOtherThanColumns(columns)
    this.#ledger = ledger
    const places = given ?? placesToWrite(ledger)
    this.#places = places
    this.#columns = columns
    this.#before = settings.before
    this.#tryLock = tryLock
    this.#start = signed(start, false)
    if (given === undefined && places[0]?.guard !== null)
      this.#trouble = new StoreError(
        'unreadable',
        ledger,
        'the spool beside it is not private to you',
      )
    this.#moveWith('')
  }

  /** With the file as its owner's sign of life. */
  get start(): AttemptStart {
    return this.#start
  }

  /** Where it lies; undefined where no place takes it. */
  get path(): string | undefined {
    return this.#file?.path
  }

  /** Where its job may write marks: beside it, in a folder that stays as long as the job is not over. */
  get marksPath(): string | undefined {
    const directory = this.#file?.directory
    return directory === undefined ? undefined : resolve(directory, marksName(this.#start.taskId))
  }

  /** Why it is not in the first place, where it is not. */
  get trouble(): StoreError | undefined {
    return this.#trouble
  }

  add(rows: Float64Array, count: number): void {
    this.#writeRows(samplesLine(rows, count * this.#columns.length))
  }

  addDevice(rows: DeviceRows): void {
    this.#writeRows(deviceLine(rows))
  }

  finish(end: AttemptEnd): void {
    try {
      this.#write(endLine(end))
      // Only now: who takes the file away reads it once more after that, and finds the end.
      this.#putBack()
    } finally {
      if (this.#file !== undefined) closeSync(this.#file.descriptor)
    }
  }

  /** Shows that the writer still lives. */
  beat(wallSeconds: number): void {
    this.#putBack()
    if (this.#file !== undefined) futimesSync(this.#file.descriptor, wallSeconds, wallSeconds)
  }

  /**
   * To be called when the ledger has all of it and the rest goes there. The file goes on where it is, under another name,
   * as a sign that the writer lives: with its lock, which must not be dropped for a moment. Undefined where there is none.
   */
  handOver(): SignFile | undefined {
    this.#putBack()
    const file = this.#file
    if (file === undefined) return undefined
    const path = `${file.directory}/${signName(this.#start.taskId)}`
    renameSync(file.path, path)
    this.#file = undefined
    ftruncateSync(file.descriptor)
    return { ...file, path }
  }

  #writeRows(line: string): void {
    if ((this.#file?.length ?? 0) > mostSampleBytes)
      throw new Error('the job has lasted too long for its samples to wait outside the ledger')
    this.#write(line)
  }

  #write(line: string): void {
    if (this.#file !== undefined) {
      try {
        append(this.#file, line)
        return
      } catch (error) {
        this.#trouble = asStoreError(error, this.#ledger)
      }
    }
    this.#moveOrThrow(line, this.#file?.path)
  }

  #putBack(): void {
    const file = this.#file
    if (file !== undefined && !isStillAt(file.path, file.descriptor)) this.#moveOrThrow('')
  }

  #moveOrThrow(line: string, awayFrom?: string): void {
    if (!this.#moveWith(line, awayFrom))
      throw this.#trouble ?? new Error('no place was found for it')
  }

  /** Writes all there is so far, and a line more, to a new file; not to the one that it is to get away from. */
  #moveWith(line: string, awayFrom?: string): boolean {
    const old = this.#file
    for (const place of this.#places) {
      if (this.#pathIn(place) === awayFrom) continue
      try {
        this.#file = this.#writtenTo(place, old, line)
        // Not before: it must not look for a moment as if nobody lived.
        if (old !== undefined) discard(old)
        return true
      } catch (error) {
        this.#trouble ??= asStoreError(error, this.#ledger)
      }
    }
    return false
  }

  #pathIn({ directory }: SpoolPlace): string {
    return `${directory}/${recordName(this.#start.taskId)}`
  }

  #writtenTo(place: SpoolPlace, old: OpenFile | undefined, line: string): OpenFile {
    if (place.guard !== null) makeGuard(place.guard)
    const path = this.#pathIn(place)
    const descriptor = openOwnFile(path, 'at its end')
    const isLocked = this.#tryLock(descriptor, 'exclusive') === 'got'
    const file = { path, directory: place.directory, descriptor, isLocked, length: 0 }
    try {
      if (old === undefined) {
        this.#start = signed(this.#start, isLocked)
        append(file, startLine(this.#start, this.#columns, this.#before))
      } else append(file, contentOf(old.descriptor).subarray(0, old.length))
      if (line !== '') append(file, line)
      return file
    } catch (error) {
      discard(file)
      throw error
    }
  }
}

const signed = (start: AttemptStart, isLocked: boolean): AttemptStart => ({
  ...start,
  owner: { ...start.owner, sign: { name: start.taskId, isLocked } },
})

/** All of it or nothing: what a full disk cut short is taken off again. */
function append(file: OpenFile, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  try {
    for (let written = 0; written < bytes.length;)
      written += writeSync(file.descriptor, bytes, written)
  } catch (error) {
    ftruncateSync(file.descriptor, file.length)
    throw error
  }
  file.length += bytes.length
}

/** One that cannot be removed tells nothing that its successor does not tell as well. */
function discard({ path, descriptor }: OpenFile): void {
  try {
    if (isStillAt(path, descriptor)) unlinkSync(path)
  } catch {
    return
  } finally {
    closeSync(descriptor)
  }
}
