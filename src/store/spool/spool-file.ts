import { closeSync, unlinkSync, writeSync } from 'node:fs'
import { asStoreError } from '../errors.ts'
import { makeDirectories, openNew } from '../private-file.ts'
import type { AttemptEnd, AttemptStart } from '../store.ts'
import { endLine, samplesLine, startLine } from './spool-lines.ts'
import { spoolDirectory } from './spool-directory.ts'

/**
 * One attempt on its way into the ledger, in a file of its own: a command of a few milliseconds should not have to open
 * a database, nor wait for others that write to it. Whoever looks into the ledger next takes it in.
 *
 * A kill at any moment leaves whole lines and at most one that is cut off, which the reader drops.
 */
export class SpoolFile {
  readonly path: string
  readonly #descriptor: number
  #lineIsCut = false

  /** Writes the attempt down before it runs, so that a killed runner leaves a trace. */
  constructor(ledger: string, start: AttemptStart) {
    const directory = spoolDirectory(ledger)
    this.path = `${directory}/${start.taskId}.jsonl`
    try {
      this.#descriptor = makePrivate(this.path, directory)
      this.#write(startLine(start))
    } catch (error) {
      throw asStoreError(error, ledger)
    }
  }

  addSamples(rows: Float64Array, count: number): void {
    this.#write(samplesLine(rows, count))
  }

  finish(end: AttemptEnd): void {
    this.#write(endLine(end))
    closeSync(this.#descriptor)
  }

  /** To be called when the ledger has all of it and the rest goes there. */
  remove(): void {
    closeSync(this.#descriptor)
    unlinkSync(this.path)
  }

  /** What comes after a line that a full disk cut short begins on a new one. */
  #write(line: string): void {
    const bytes = Buffer.from(this.#lineIsCut ? `\n${line}` : line)
    this.#lineIsCut = true
    for (let written = 0; written < bytes.length;)
      written += writeSync(this.#descriptor, bytes, written)
    this.#lineIsCut = false
  }
}

function makePrivate(path: string, directory: string): number {
  try {
    return openNew(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    makeDirectories(directory)
    return openNew(path)
  }
}
