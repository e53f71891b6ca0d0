import type { DrmClient } from './fdinfo.ts'
import type { GpuCard } from './gpu-card.ts'

const untoldMemory =
  'its driver tells no memory of its own: it shares that of the machine, or is too old'

type CardProcesses = GpuCard['processes']

/** `busyPercent`: NaN where it is not told. `lateSeconds`: by so much its work speaks of a longer time than that since the last look. */
interface ClientWork {
  readonly busyPercent: number
  readonly lateSeconds: number
}

/** Adds what a client did, and what it holds, to those of its process. */
export function take(
  processes: CardProcesses,
  pid: number,
  client: DrmClient,
  { busyPercent, lateSeconds }: ClientWork,
): void {
  const place = processes.place(pid)
  if (Number.isNaN(client.memoryBytes)) processes.memoryLoss = untoldMemory
  else processes.memoryBytes[place] = (processes.memoryBytes[place] || 0) + client.memoryBytes
  if (Number.isNaN(busyPercent)) {
    processes.untoldPids.add(pid)
    return
  }
  const told = processes.utilizationPercent[place] ?? 0
  processes.utilizationPercent[place] = Math.min(100, told + busyPercent)
  if (!(lateSeconds > 0)) return
  processes.lateSeconds = Math.max(processes.lateSeconds, lateSeconds)
  const lateBefore = processes.lateBusySeconds.get(pid) ?? 0
  const late = (Math.min(100, busyPercent) / 100) * lateSeconds
  processes.lateBusySeconds.set(pid, lateBefore + late)
}

export function hasWorked({ engineNanoseconds, engineCycles }: DrmClient): boolean {
  const cycles = [...engineCycles.values()].map(({ busy }) => busy)
  return [...engineNanoseconds.values(), ...cycles].some((worked) => worked > 0)
}

/**
 * How much the busiest of a card's engines worked for a client in the last seconds, in percent. Where these are NaN, the client
 * may have been open for long, and its counters only start here. So do cycles: those that went by count from long before. What
 * was done is NaN then, unless nothing ever was.
 */
export function busiestOf(client: DrmClient, before: Map<string, number>, seconds: number): number {
  let busiest = 0
  let isUntold = false
  const wasOpen = Number.isNaN(seconds)
  for (const [engine, nanoseconds] of client.engineNanoseconds) {
    if (wasOpen && nanoseconds > 0) isUntold = true
    const grown = grownBy(before, engine, nanoseconds, wasOpen ? nanoseconds : 0)
    if (seconds > 0) busiest = Math.max(busiest, (100 * grown) / 1e9 / seconds)
  }
  for (const [engine, { busy, total }] of client.engineCycles) {
    if (!before.has(`${engine} busy`) && busy > 0) isUntold = true
    const worked = grownBy(before, `${engine} busy`, busy, busy)
    const passed = grownBy(before, `${engine} total`, total, total)
    if (passed > 0) busiest = Math.max(busiest, (100 * worked) / passed)
  }
  return isUntold ? Number.NaN : busiest
}

/** By how much a counter grew since it was last seen, or since it stood at `first`; nothing where it went back. */
function grownBy(before: Map<string, number>, name: string, now: number, first: number): number {
  const known = before.get(name) ?? first
  before.set(name, now)
  return now < known ? 0 : now - known
}
