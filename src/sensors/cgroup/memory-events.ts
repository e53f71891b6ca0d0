import { KeyedNumbers } from '../keyed-numbers.ts'

/** What happened to a cgroup at its memory limit. */
export class MemoryEvents {
  /** Processes the kernel killed for want of memory. */
  oomKills = Number.NaN
  /** How often it ran into its limit. NaN in v1. */
  max = Number.NaN
}

const eventLines = new KeyedNumbers(['oom_kill', 'max'])
const controlLines = new KeyedNumbers(['oom_kill'])

/** memory.events of cgroup v2; counts those of the cgroups below too. */
export function parseMemoryEvents(bytes: Uint8Array, length: number, into: MemoryEvents): boolean {
  eventLines.find(bytes, length)
  into.oomKills = eventLines.number('oom_kill')
  into.max = eventLines.number('max')
  return !Number.isNaN(into.oomKills)
}

/** memory.oom_control of cgroup v1; its oom_kill line came with Linux 4.13. */
export function parseOomControl(bytes: Uint8Array, length: number, into: MemoryEvents): boolean {
  controlLines.find(bytes, length)
  into.oomKills = controlLines.number('oom_kill')
  into.max = Number.NaN
  return !Number.isNaN(into.oomKills)
}
