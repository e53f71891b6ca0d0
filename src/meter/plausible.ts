import type { Host } from '../system/system.ts'

/** Linux never numbers more tasks than this (PID_MAX_LIMIT). */
const mostTasks = 4_194_304
/** No storage or pipe of any machine comes near a terabyte a second. */
export const mostIoBytesPerSecond = 1e12
/** The kernel takes longer than 100 ns to serve a page fault. */
const mostFaultsPerCpuSecond = 1e7

/**
 * The most that a figure can be, given the machine and how long the job has run. A file that says more
 * was garbled, and its content is passed over instead of becoming an absurd figure.
 */
export class Plausible {
  mostTicks = Infinity
  mostCpuSeconds = Infinity
  mostSeconds = Infinity
  mostFaults = Infinity
  mostIoBytes = Infinity
  mostMemoryBytes = Infinity
  mostSwapBytes = Infinity
  mostPages = Infinity
  readonly mostThreads = mostTasks
  readonly #host: Host

  constructor(host: Host) {
    this.#host = host
  }

  /** `lifetimeSeconds`: how long the oldest process of the job can have lived. */
  update(lifetimeSeconds: number, memoryBytes: number, swapBytes: number): void {
    const { onlineCores, ticksPerSecond, pageBytes } = this.#host
    this.mostSeconds = withSlack(lifetimeSeconds)
    this.mostCpuSeconds = this.mostSeconds * onlineCores
    this.mostFaults = this.mostCpuSeconds * mostFaultsPerCpuSecond
    this.mostTicks = this.mostCpuSeconds * ticksPerSecond
    this.mostIoBytes = (lifetimeSeconds + 1) * mostIoBytesPerSecond
    if (memoryBytes > 0) {
      this.mostMemoryBytes = memoryBytes
      this.mostPages = memoryBytes / pageBytes
    }
    if (swapBytes >= 0) this.mostSwapBytes = swapBytes
  }
}

/** A tenth and a second more than possible: clocks differ a little, and ticks are charged in whole. */
export const withSlack = (seconds: number): number => seconds * 1.1 + 1
