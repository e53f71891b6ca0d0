import { formatBytes } from '../../model/bytes.ts'
import type { System } from '../../system/system.ts'

/** With less than this on the disk, no job is begun that may print: it would fail, and the next one, too. */
const leastBytes = 16 * 2 ** 20
/** With so much it goes on. */
const enoughBytes = 2 * leastBytes
/** The disk is looked at so often. */
const lookSeconds = 1

/** Whether there is room on the disk for what the jobs of a worker print. */
export class LogRoom {
  readonly #system: Pick<System, 'files' | 'clock'>
  readonly #directory: string
  #trouble: string | null = null
  #lookedAt = -Infinity

  constructor(system: Pick<System, 'files' | 'clock'>, directory: string) {
    this.#system = system
    this.#directory = directory
  }

  /** Why no job may begin here; null where there is room, and where that cannot be known. */
  get trouble(): string | null {
    const now = this.#system.clock.monotonicSeconds()
    if (now - this.#lookedAt < lookSeconds) return this.#trouble
    this.#lookedAt = now
    const free = this.#system.files.freeBytes(this.#directory)
    const least = this.#trouble === null ? leastBytes : enoughBytes
    this.#trouble = free.kind === 'ok' && free.value < least ? this.#says : null
    return this.#trouble
  }

  get #says(): string {
    return `less than ${formatBytes(leastBytes)} is free for what jobs print, in ${this.#directory}`
  }
}
