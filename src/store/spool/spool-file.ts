import { closeSync, ftruncateSync, futimesSync, renameSync, writeSync } from 'node:fs'
import type { TryLock } from '../../model/file-lock.ts'
import { asStoreError } from '../errors.ts'
import { contentOf, isStillAt, openPrivate } from '../own-file.ts'
import type { AttemptEnd, AttemptStart } from '../store.ts'
import { endLine, samplesLine, startLine } from './spool-lines.ts'
import { spoolDirectory } from './spool-directory.ts'

/**
 * One attempt on its way into the ledger, in a file of its own: a command of a few milliseconds should not have to open
 * a database, nor wait for others that write to it. Whoever looks into the ledger next takes it in.
 *
 * A kill at any moment leaves whole lines and at most one that is cut off, which the reader drops. The file is locked as long
 * as its writer lives, and is put back if somebody who could not see that took it away.
 */
export class SpoolFile {
  readonly path: string
  /** With the file as its owner's sign of life. */
  readonly start: AttemptStart
  readonly #tryLock: TryLock
  #descriptor: number
  #lineIsCut = false

  /** Writes the attempt down before it runs, so that a killed runner leaves a trace. */
  constructor(ledger: string, start: AttemptStart, tryLock: TryLock = () => 'unavailable') {
    this.path = `${spoolDirectory(ledger)}/${start.taskId}.jsonl`
    this.#tryLock = tryLock
    try {
      this.#descriptor = openPrivate(this.path, 'at its end')
      const isLocked = tryLock(this.#descriptor, 'exclusive') === 'got'
      this.start = { ...start, owner: { ...start.owner, sign: { name: start.taskId, isLocked } } }
      this.#write(startLine(this.start))
    } catch (error) {
      throw asStoreError(error, ledger)
    }
  }

  addSamples(rows: Float64Array, count: number): void {
    this.#write(samplesLine(rows, count))
  }

  finish(end: AttemptEnd): void {
    this.#write(endLine(end))
    // Only now: who takes the file away reads it once more after that, and finds the end.
    this.#putBack()
    closeSync(this.#descriptor)
  }

  /** Shows that the writer still lives. */
  beat(wallSeconds: number): void {
    this.#putBack()
    futimesSync(this.#descriptor, wallSeconds, wallSeconds)
  }

  /**
   * To be called when the ledger has all of it and the rest goes there. The file goes on, under that path, as a sign that
   * the writer lives: with its lock, which must not be dropped for a moment.
   */
  handOver(path: string): number {
    this.#putBack()
    ftruncateSync(this.#descriptor)
    renameSync(this.path, path)
    return this.#descriptor
  }

  #putBack(): void {
    if (isStillAt(this.path, this.#descriptor)) return
    const lost = this.#descriptor
    this.#descriptor = openPrivate(this.path, 'at its end')
    this.#tryLock(this.#descriptor, 'exclusive')
    this.#write(contentOf(lost))
    closeSync(lost)
  }

  /** What comes after a line that a full disk cut short begins on a new one. */
  #write(line: string | Buffer): void {
    const bytes = Buffer.from(this.#lineIsCut ? `\n${String(line)}` : line)
    this.#lineIsCut = true
    for (let written = 0; written < bytes.length;)
      written += writeSync(this.#descriptor, bytes, written)
    this.#lineIsCut = false
  }
}
