import type { Files } from '../system/system.ts'

// No kernel file read here comes near this; it ends the growth if a file has no end.
const largestBytes = 64 * 1024 * 1024

/** The one buffer that a sensor reads its files into. It grows when a file fills it. */
export class ReadBuffer {
  bytes = new Uint8Array(4096)

  /** Reads a whole file, and answers its length, or -1 when it is gone. */
  read(files: Files, descriptor: number): number {
    for (;;) {
      const length = files.read(descriptor, this.bytes)
      // A full buffer may hide more: the file is read again, from its start, into a larger one.
      if (length < this.bytes.length) return length
      if (this.bytes.length >= largestBytes) return -1
      this.bytes = new Uint8Array(this.bytes.length * 2)
    }
  }

  /** The same for a file that is read too seldom to be kept open; 0, which no parser takes, where it cannot be. */
  readPath(files: Files, path: string): number {
    const descriptor = files.open(path)
    if (descriptor < 0) return 0
    const length = this.read(files, descriptor)
    files.close(descriptor)
    return Math.max(0, length)
  }
}
