import { signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { ask } from './api.ts'

/** How large a machine is. */
export interface MachineSize {
  readonly cores: number
  readonly memoryBytes: number | null
}

const byHost = new Map<string, Signal<MachineSize | null>>()

function sizeOf(host: string): Signal<MachineSize | null> {
  const known = byHost.get(host)
  if (known !== undefined) return known
  const size = signal<MachineSize | null>(null)
  byHost.set(host, size)
  return size
}

/** As an event of a job that runs there told. */
export function tellMachineSize(host: string, told: MachineSize): void {
  const size = sizeOf(host)
  const { cores, memoryBytes } = size.peek() ?? {}
  if (cores !== told.cores || memoryBytes !== told.memoryBytes) size.value = told
}

/** Events tell it as a rule; the record of a job that ran before does too, a moment later. */
const patienceMilliseconds = 4000

/** The size of the machine that a job runs on. */
export function machineSize(host: string, taskId: string): ReadonlySignal<MachineSize | null> {
  const isAskedFor = byHost.has(host)
  const size = sizeOf(host)
  if (!isAskedFor) setTimeout(() => void readSize(taskId, size), patienceMilliseconds)
  return size
}

async function readSize(taskId: string, size: Signal<MachineSize | null>): Promise<void> {
  if (size.peek() !== null) return
  try {
    const record = await ask<{ cores: number; machine_memory_bytes: number | null }>(
      `/jobs/${encodeURIComponent(taskId)}`,
    )
    size.value ??= { cores: record.cores, memoryBytes: record.machine_memory_bytes }
  } catch {
    // Bars have nothing to be drawn against until an event tells it.
  }
}
