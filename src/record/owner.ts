import type { Owner } from '../model/machine.ts'
import { isZombie, readStat } from '../sensors/procfs/stat.ts'
import type { System } from '../system/system.ts'

/** Who we are, for as long as this process lives. */
export function ourselves(system: System): Owner {
  const { host, processes, files } = system
  const stat = readStat(files, 'self')
  const us = { host: host.name, bootId: host.bootId, pid: processes.self }
  // A /proc that was mounted for another pid namespace numbers processes otherwise than we do.
  if (stat?.pid !== processes.self) return { ...us, startTicks: 0 }
  const namespace = files.readLink('/proc/self/ns/pid')
  const known = namespace.kind === 'ok' ? { pidNamespace: namespace.value } : {}
  return { ...us, startTicks: stat.startTicks, ...known }
}

/** What is known of whether an owner lives. What is unknown is not dead. */
export type Life = 'alive' | 'dead' | 'unknown'

/** What the table of processes tells of an owner, where it has the same one as we have. */
export function lifeByPid(system: System, us: Owner, owner: Owner): Life {
  if (owner.host !== us.host || owner.bootId !== us.bootId) return 'unknown'
  const isSameTable = us.pidNamespace !== undefined && owner.pidNamespace === us.pidNamespace
  const stat = us.pidNamespace === undefined ? undefined : readStat(system.files, owner.pid)
  if (stat?.startTicks === owner.startTicks && !isZombie(stat))
    return isSameTable || owner.pidNamespace === undefined ? 'alive' : 'unknown'
  if (!isSameTable) return 'unknown'
  // The processes of others may be hidden (`hidepid`).
  return stat === undefined && system.processes.exists(owner.pid) ? 'unknown' : 'dead'
}
