import type { Owner } from '../model/machine.ts'
import { ProcessStat, parseStat } from '../sensors/procfs/stat.ts'
import type { System } from '../system/system.ts'

/** Who we are, for as long as this process lives. */
export function ourselves(system: System): Owner {
  const { host, processes } = system
  const startTicks = startOf(system, processes.self) ?? 0
  return { host: host.name, bootId: host.bootId, pid: processes.self, startTicks }
}

/** Whether the process that looked after something is gone for certain. */
export function isDead(system: System, owner: Owner): boolean {
  // A ledger on a shared disk: another machine's processes are not ours to judge.
  if (owner.host !== system.host.name) return false
  if (owner.bootId !== system.host.bootId) return true
  return startOf(system, owner.pid) !== owner.startTicks
}

/** Whether somebody runs a workflow. Of another machine's process that must be assumed. */
export const isBeingRun = (
  system: System,
  { leasedBy }: { readonly leasedBy: Owner | null },
): boolean => leasedBy !== null && !isDead(system, leasedBy)

function startOf(system: System, pid: number): number | undefined {
  const text = system.files.readText(`/proc/${pid}/stat`)
  if (text.kind !== 'ok') return undefined
  const stat = new ProcessStat()
  const bytes = new TextEncoder().encode(text.value)
  return parseStat(bytes, bytes.length, stat) ? stat.startTicks : undefined
}
