import { KeyedNumbers } from '../keyed-numbers.ts'

/** What happened to a cgroup at its memory limit. */
export class MemoryEvents {
  /** Processes the kernel killed for want of memory. */
  oomKills = Number.NaN
  /** How often it needed more than its limit and nothing could be freed. NaN in v1. */
  oom = Number.NaN
}

const eventLines = new KeyedNumbers(['oom', 'oom_kill'])
const controlLines = new KeyedNumbers(['oom_kill'])

/**
 * memory.events of cgroup v2; counts those of the cgroups below too. `oom_kill` also counts whom the kernel killed because
 * the machine, or a cgroup above, was out of memory; `oom` does not.
 */
export function parseMemoryEvents(bytes: Uint8Array, length: number, into: MemoryEvents): boolean {
  eventLines.find(bytes, length)
  into.oomKills = eventLines.number('oom_kill')
  into.oom = eventLines.number('oom')
  return !Number.isNaN(into.oomKills)
}

/** memory.oom_control of cgroup v1; its oom_kill line came with Linux 4.13. */
export function parseOomControl(bytes: Uint8Array, length: number, into: MemoryEvents): boolean {
  controlLines.find(bytes, length)
  into.oomKills = controlLines.number('oom_kill')
  into.oom = Number.NaN
  return !Number.isNaN(into.oomKills)
}
