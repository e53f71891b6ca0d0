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
}
