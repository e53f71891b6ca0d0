import type { Files } from '../../system/system.ts'

const chunkBytes = 65_536

/** Some bytes of a log, and where they stand in it. */
export interface LogPiece {
  readonly offset: number
  /** Good until the next piece is asked for. */
  readonly bytes: Uint8Array
  /** Whether the file was cut off or replaced: this is the beginning of what it holds now. */
  readonly isAnew: boolean
}

/**
 * A log that a job writes to, read as it grows. It may not be there yet, may be cut off, and may be replaced by another of
 * its name: what is still in the old one comes first.
 */
export class GrowingLog {
  readonly #files: Files
  readonly #path: string
  readonly #into = new Uint8Array(chunkBytes)
  #descriptor = -1
  #offset = 0
  #isAnew = false

  constructor(files: Files, path: string) {
    this.#files = files
    this.#path = path
  }

  /** Where the next piece begins. */
  get offset(): number {
    return this.#offset
  }

  /** Goes on from this byte, or from the end if there are not so many. */
  seek(offset: number): void {
    this.#offset = Math.min(Math.max(0, offset), this.#sizeBytes())
  }

  /** Goes on with the last lines that it has now, or with as much of them as so many bytes hold. */
  seekLastLines(lines: number, mostBytes: number): void {
    const size = this.#sizeBytes()
    const least = lines <= 0 ? size : Math.max(0, size - mostBytes)
    let left = lines
    for (let end = size; end > least;) {
      const from = Math.max(least, end - chunkBytes)
      const part = this.#into.subarray(0, end - from)
      const length = Math.max(0, this.#files.readFrom(this.#descriptor, from, part))
      for (let at = length - 1; at >= 0; at -= 1) {
        // The feed at the very end ends the last line, and begins none.
        if (part[at] !== lineFeed || from + at === size - 1) continue
        left -= 1
        if (left > 0) continue
        this.#offset = from + at + 1
        return
      }
      end = from
    }
    this.#offset = least
  }

  /** What comes next, at most 64 KB; undefined where there is no more for now. */
  next(): LogPiece | undefined {
    if (!this.#open()) return undefined
    const look = this.#files.lookAt(this.#descriptor, this.#path)
    if (look !== undefined && look.sizeBytes < this.#offset) this.#beginAnew()
    const piece = this.#read()
    if (piece !== undefined || look?.isInPlace !== false) return piece
    // A new one that cannot be opened yet may come the next time.
    this.close()
    if (!this.#open()) return undefined
    this.#beginAnew()
    return this.#read()
  }

  /** Whether there is anything in it. */
  hasContent(): boolean {
    return this.#open() && this.#files.readFrom(this.#descriptor, 0, this.#into) > 0
  }

  close(): void {
    if (this.#descriptor >= 0) this.#files.close(this.#descriptor)
    this.#descriptor = -1
  }

  #read(): LogPiece | undefined {
    const length = this.#files.readFrom(this.#descriptor, this.#offset, this.#into)
    if (length <= 0) return undefined
    const piece = {
      offset: this.#offset,
      bytes: this.#into.subarray(0, length),
      isAnew: this.#isAnew,
    }
    this.#offset += length
    this.#isAnew = false
    return piece
  }

  #beginAnew(): void {
    this.#isAnew = true
    this.#offset = 0
  }

  #sizeBytes(): number {
    if (!this.#open()) return 0
    return this.#files.lookAt(this.#descriptor, this.#path)?.sizeBytes ?? 0
  }

  #open(): boolean {
    if (this.#descriptor < 0) this.#descriptor = this.#files.openLog(this.#path)
    return this.#descriptor >= 0
  }
}

const lineFeed = 10
