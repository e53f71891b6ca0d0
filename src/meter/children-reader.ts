import { parseChildren } from '../sensors/procfs/children.ts'
import { readThreadIds } from '../sensors/procfs/task.ts'
import { ReadBuffer } from '../sensors/read-buffer.ts'
import type { System } from '../system/system.ts'

/** The children of a process, by the lists that the kernel keeps for each of its threads. */
export class ChildrenReader {
  /** False on kernels built without CONFIG_PROC_CHILDREN. */
  readonly available: boolean
  readonly #system: System
  readonly #buffer = new ReadBuffer()
  #ownDescriptor: number

  constructor(system: System) {
    this.#system = system
    const { self } = system.processes
    this.#ownDescriptor = system.files.open(pathOf(self, self))
    this.available = this.#ownDescriptor >= 0
  }

  /** Adds the children of a process; one that is gone has none any more. */
  read(pid: number, threads: number, into: number[]): void {
    if (threads <= 1) {
      this.#readThread(pid, pid, into)
      return
    }
    const threadIds = readThreadIds(this.#system.files, pid)
    if (threadIds.kind !== 'ok') return
    for (const threadId of threadIds.value) this.#readThread(pid, threadId, into)
  }

  /** Adds our own: those that our first thread started, and the orphans that came to us. False where it is not told. */
  readOwn(into: number[]): boolean {
    const length = this.#buffer.read(this.#system.files, this.#ownDescriptor)
    return length >= 0 && parseChildren(this.#buffer.bytes, length, into)
  }

  close(): void {
    if (this.#ownDescriptor >= 0) this.#system.files.close(this.#ownDescriptor)
    // The number may be another file's by now.
    this.#ownDescriptor = -1
  }

  #readThread(pid: number, threadId: number, into: number[]): void {
    const { files } = this.#system
    const descriptor = files.open(pathOf(pid, threadId))
    if (descriptor < 0) return
    const length = this.#buffer.read(files, descriptor)
    files.close(descriptor)
    if (length > 0) parseChildren(this.#buffer.bytes, length, into)
  }
}

const pathOf = (pid: number, threadId: number): string => `/proc/${pid}/task/${threadId}/children`
