import type { Schedstat } from '../sensors/procfs/schedstat.ts'

/**
 * Looks without news before it is worth a descriptor to ask whether a process runs at all. Looks that ask for I/O are far apart
 * and dear: of those one is enough.
 */
const quietLooks = 2
const quietLooksBeforeIo = 1
/**
 * Others can take pages from a process that sleeps: after so many looks it is looked at all the same. Looks come once a
 * second at least.
 */
const mostRestingLooks = 10

/**
 * Whether a process has run since it was last looked at. If it has not, nothing of it can be new, and its other files
 * need not be read, which takes four times as long. The kernel counts each time that it gives a thread a CPU, and for how
 * long: neither stands still while a process of one thread does anything. But it writes the time down only at its ticks and
 * when it takes the CPU away: a process that was seen running may go on without a trace.
 */
export class Rest {
  /** Of /proc/PID/schedstat; -1 where it is not open. */
  descriptor = -1
  /** It cannot be had. */
  isRefused = false
  #quiet = 0
  #resting = 0
  #slices = NaN
  #runSeconds = NaN
  /** It slept when it was looked at, after the figures above were read. */
  #slept = false
  #knowsIo = false

  /** Whether it seems to do so little that it is worth asking. */
  isWorthAsking(withIo: boolean): boolean {
    return this.#quiet >= (withIo ? quietLooksBeforeIo : quietLooks) && !this.isRefused
  }

  /** It has ended, and ran to do so: there is nothing to ask. */
  ended(): void {
    this.#quiet = 0
  }

  /**
   * Takes what the kernel says now. `still`: everything that was known before still holds; `due`: it has not run, but is to be
   * looked at all the same.
   */
  stillness({ slices, runSeconds }: Schedstat, withIo: boolean): 'still' | 'due' | 'stirred' {
    if (slices !== this.#slices || runSeconds !== this.#runSeconds) this.#stir()
    this.#slices = slices
    this.#runSeconds = runSeconds
    this.#resting += 1
    const holds = this.#slept && (this.#knowsIo || !withIo) && this.#resting < mostRestingLooks
    if (holds) return 'still'
    this.#resting = 0
    return this.#slept ? 'due' : 'stirred'
  }

  /** It was looked at, after it was asked whether it is still. */
  lookedAt(isQuiet: boolean, sleeps: boolean): void {
    this.#quiet = isQuiet ? this.#quiet + 1 : 0
    this.#slept = sleeps && this.#slices > 0
  }

  /** Its I/O was read, after it was asked whether it is still. */
  ioRead(): void {
    this.#knowsIo = true
  }

  #stir(): void {
    this.#slept = false
    this.#knowsIo = false
  }
}
