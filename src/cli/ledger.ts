import { ProcessStat, parseStat } from '../sensors/procfs/stat.ts'
import type { Owner } from '../model/machine.ts'
import type { JobRecord } from '../model/record.ts'
import { ledgerPath } from '../store/location.ts'
import type { Ledger } from '../store/ledger.ts'
import { openSqliteLedger, openSqliteStore } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import type { System } from '../system/system.ts'
import { UserError } from './user-error.ts'

/** Opens the ledger to write to it. */
export function openLedger(system: System, override: string | undefined): Store {
  return openSqliteStore(ledgerPath(process.env, override, system.host.homeDirectory))
}

/** Opens the ledger with its workflows. Attempts whose runner has died are first called what they are. */
export function openBothLedgers(system: System, override: string | undefined): Ledger {
  const ledger = openSqliteLedger(ledgerPath(process.env, override, system.host.homeDirectory))
  markInterrupted(system, ledger.jobs)
  return ledger
}

/** Opens the ledger to look into it. Attempts whose runner has died are first called what they are. */
export function readLedger(system: System, override: string | undefined): Store {
  const store = openLedger(system, override)
  markInterrupted(system, store)
  return store
}

function markInterrupted(system: System, store: Store): void {
  for (const { taskId, owner } of store.running())
    if (isDead(system, owner)) store.interrupt(taskId, 'jobmeter was killed while the job ran')
}

/** Who we are, for as long as this process lives. */
export function ourselves(system: System): Owner {
  const { host, processes } = system
  const startTicks = startOf(system, processes.self) ?? 0
  return { host: host.name, bootId: host.bootId, pid: processes.self, startTicks }
}

/** One job by its id, a prefix of it, or `last`. */
export function findJob(store: Store, id: string): JobRecord {
  const found = id === 'last' ? store.find({ limit: 1 }) : store.findByPrefix(id.toLowerCase())
  const [record, another] = found
  if (record === undefined)
    throw new UserError(
      id === 'last'
        ? 'no job is recorded yet. Run one: jobmeter run -- COMMAND'
        : `no job has an id that begins with "${id}". See jobmeter history`,
    )
  if (another !== undefined && record.taskId !== id) {
    const ids = found.slice(0, 5).map(({ taskId }) => taskId.slice(0, id.length + 6))
    throw new UserError(`"${id}" begins the id of ${found.length} jobs: ${ids.join(', ')}`)
  }
  return record
}

/** Whether the process that looked after something is gone for certain. */
export function isDead(system: System, owner: Owner): boolean {
  // A ledger on a shared disk: another machine's processes are not ours to judge.
  if (owner.host !== system.host.name) return false
  if (owner.bootId !== system.host.bootId) return true
  return startOf(system, owner.pid) !== owner.startTicks
}

function startOf(system: System, pid: number): number | undefined {
  const text = system.files.readText(`/proc/${pid}/stat`)
  if (text.kind !== 'ok') return undefined
  const stat = new ProcessStat()
  const bytes = new TextEncoder().encode(text.value)
  return parseStat(bytes, bytes.length, stat) ? stat.startTicks : undefined
}
