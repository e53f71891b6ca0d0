import { openSync, readFileSync, readSync } from 'node:fs'

/** CPU seconds of this process, all its threads, so far. */
export function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** The same by where they were spent, to the microsecond; children are not included. */
export function ownCpuTimes(): { readonly userSeconds: number; readonly systemSeconds: number } {
  const { user, system } = process.cpuUsage()
  return { userSeconds: user / 1e6, systemSeconds: system / 1e6 }
}

/** CPU seconds of the calling thread so far. */
export function ownThreadCpuSeconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e6
}

export function ownPeakBytes(): number {
  return process.resourceUsage().maxRSS * 1024
}

/** The memory that this process has resident now. */
export const ownResidentBytes = (): number => process.memoryUsage.rss()

let childrenDescriptor: number | undefined
const childrenBuffer = Buffer.alloc(4096)

/** The children of our first thread, those that we adopted included; undefined where the kernel does not list them. */
export function ownChildren(): readonly number[] | undefined {
  const path = `/proc/self/task/${process.pid}/children`
  try {
    // Kept open: this is asked at the end of each job.
    childrenDescriptor ??= openSync(path, 'r')
    const length = readSync(childrenDescriptor, childrenBuffer, 0, childrenBuffer.length, 0)
    if (length === 0) return []
    const isWhole = length < childrenBuffer.length / 2
    const list = isWhole
      ? childrenBuffer.toString('latin1', 0, length)
      : readFileSync(path, 'latin1')
    return list === '' ? [] : list.trimEnd().split(' ').map(Number)
  } catch {
    return undefined
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch (error) {
    // EPERM: it lives, but is not ours to signal (a set-uid child).
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export function onSignal(signal: NodeJS.Signals, callback: () => void): () => void {
  process.on(signal, callback)
  return () => process.off(signal, callback)
}
