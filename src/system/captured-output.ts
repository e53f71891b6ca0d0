import { closeSync, constants, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomId } from './random-id.ts'

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants

/** A file for a job to write to, of which the end can be read. It is gone when it is closed, unless it has a name. */
export class CapturedOutput implements Disposable {
  /** Where the job finds it while this process lives. */
  readonly path: string
  readonly #descriptor: number

  /** With a name it is kept; the name must be free. */
  constructor(name?: string) {
    const file = name ?? join(tmpdir(), `jobmeter-${randomId()}`)
    this.#descriptor = openSync(file, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    if (name === undefined) unlinkSync(file)
    this.path = name ?? `/proc/${process.pid}/fd/${this.#descriptor}`
  }

  /** The last of what was written, as text. */
  tail(mostBytes: number): string {
    const { size } = fstatSync(this.#descriptor)
    const start = Math.max(0, size - mostBytes)
    const bytes = Buffer.alloc(size - start)
    const length = readSync(this.#descriptor, bytes, 0, bytes.length, start)
    return bytes.toString('utf8', start === 0 ? 0 : restOfCharacter(bytes), length)
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor)
  }
}

/** How many bytes at the start belong to a character that began before them. */
function restOfCharacter(bytes: Uint8Array): number {
  let count = 0
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count += 1
  return count
}
