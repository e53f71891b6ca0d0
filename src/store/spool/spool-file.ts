import { closeSync, ftruncateSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { asStoreError, type StoreError } from '../errors.ts'
import { makeDirectories } from '../private-file.ts'
import type { AttemptEnd, AttemptStart } from '../store.ts'
import { makeGuard, spoolPlaces, type SpoolPlace } from './spool-directory.ts'
import { endLine, samplesLine, startLine } from './spool-lines.ts'

/** Nine days of samples a second apart. Whoever looks reads all of it. */
const mostSampleBytes = 2 ** 28

interface OpenFile {
  readonly path: string
  readonly descriptor: number
  /** Of whole lines. */
  length: number
}

/**
 * One attempt on its way into the ledger, in a file of its own: a command of a few milliseconds should not have to open
 * a database, nor wait for others that write to it. Whoever looks into the ledger next takes it in.
 *
 * The file lies in the first of several places that takes it, and moves on to the next where a line does not fit any
 * more. A kill at any moment leaves whole lines and at most one that is cut off, which the reader drops.
 */
export class SpoolFile {
  readonly #ledger: string
  readonly #places: readonly SpoolPlace[]
  readonly #name: string
  readonly #heading: string
  #file: OpenFile | undefined
  #trouble: StoreError | undefined

  /** Writes the attempt down before it runs, so that a killed runner leaves a trace. Never throws: see `trouble`. */
  constructor(
    ledger: string,
    start: AttemptStart,
    samplesBefore = 0,
    places: readonly SpoolPlace[] = spoolPlaces(ledger),
  ) {
    this.#ledger = ledger
    this.#places = places
    this.#name = `${start.taskId}.jsonl`
    this.#heading = startLine(start, samplesBefore)
    this.#moveWith('')
  }

  /** Where it lies; undefined where no place takes it. */
  get path(): string | undefined {
    return this.#file?.path
  }

  /** Why it is not in the first place, where it is not. */
  get trouble(): StoreError | undefined {
    return this.#trouble
  }

  addSamples(rows: Float64Array, count: number): void {
    if ((this.#file?.length ?? 0) > mostSampleBytes)
      throw new Error('the job has lasted too long for its samples to wait outside the ledger')
    this.#write(samplesLine(rows, count))
  }

  finish(end: AttemptEnd): void {
    try {
      this.#write(endLine(end))
    } finally {
      if (this.#file !== undefined) closeSync(this.#file.descriptor)
    }
  }

  /** To be called when the ledger has all of it and the rest goes there. */
  remove(): void {
    if (this.#file !== undefined) discard(this.#file)
    this.#file = undefined
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
    if (!this.#moveWith(line)) throw this.#trouble ?? new Error('there is no place for it')
  }

  /** Writes all there is so far, and a line more, to another place than the one that it is in. */
  #moveWith(line: string): boolean {
    const old = this.#file
    for (const place of this.#places) {
      const path = `${place.directory}/${this.#name}`
      if (path === old?.path) continue
      try {
        const file = { path, descriptor: makePrivate(path, place), length: 0 }
        try {
          append(file, old === undefined ? this.#heading : soFar(old))
          if (line !== '') append(file, line)
        } catch (error) {
          discard(file)
          throw error
        }
        if (old !== undefined) discard(old)
        this.#file = file
        return true
      } catch (error) {
        this.#trouble ??= asStoreError(error, this.#ledger)
      }
    }
    return false
  }
}

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

const soFar = ({ path, length }: OpenFile): Uint8Array => readFileSync(path).subarray(0, length)

/** One that cannot be removed tells nothing that its successor does not tell as well. */
function discard({ path, descriptor }: OpenFile): void {
  closeSync(descriptor)
  try {
    unlinkSync(path)
  } catch {
    return
  }
}

function makePrivate(path: string, { directory, guard }: SpoolPlace): number {
  if (guard !== null) makeGuard(guard)
  try {
    return openSync(path, 'ax', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    makeDirectories(directory)
    return openSync(path, 'ax', 0o600)
  }
}
