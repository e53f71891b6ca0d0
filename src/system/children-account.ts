import { readFileSync } from 'node:fs'
import type { KernelAccount } from './system.ts'

/** Without libc nobody tells the rate; it is 100 on every x86-64 and most other Linux machines. */
const ticksPerSecond = 100

interface Waited {
  readonly minorFaults: number
  readonly majorFaults: number
  readonly userTicks: number
  readonly systemTicks: number
}

/**
 * The account of a child by what our own /proc/self/stat says of all children that were waited for: Node waits for
 * them and keeps the account to itself. Only a child that was alone from its start to its end can be told so.
 */
export class ChildrenAccount {
  #running = 0
  #before: Waited | null = null

  /** A child is about to be started. */
  starting(): void {
    this.#before = this.#running === 0 ? readWaited() : null
    this.#running += 1
  }

  notStarted(): void {
    this.#running -= 1
  }

  /** A child has been reaped; null where others ran beside it. */
  ended(): KernelAccount | null {
    this.#running -= 1
    const before = this.#before
    this.#before = null
    const now = before === null ? null : readWaited()
    if (before === null || now === null) return null
    return {
      source: '/proc/self/stat',
      userSeconds: (now.userTicks - before.userTicks) / ticksPerSecond,
      systemSeconds: (now.systemTicks - before.systemTicks) / ticksPerSecond,
      largestProcessBytes: 0,
      minorFaults: now.minorFaults - before.minorFaults,
      majorFaults: now.majorFaults - before.majorFaults,
      voluntarySwitches: NaN,
      involuntarySwitches: NaN,
    }
  }
}

function readWaited(): Waited | null {
  try {
    const line = readFileSync('/proc/self/stat', 'latin1')
    // The fields after the name, of which the first is the third.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const field = (number: number): number => Number(fields[number - 3])
    return {
      minorFaults: field(11),
      majorFaults: field(13),
      userTicks: field(16),
      systemTicks: field(17),
    }
  } catch {
    return null
  }
}
