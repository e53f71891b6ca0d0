import type { JobRecord } from '../model/record.ts'
import { openLedger as openLedgerAt } from '../record/open-ledger.ts'
import type { Ledger } from '../store/ledger.ts'
import type { Store } from '../store/store.ts'
import type { System } from '../system/system.ts'
import { Console } from './console.ts'
import { findLedger } from './ledger-place.ts'
import { UserError } from './user-error.ts'

/** Opens the ledger that `--db`, the environment or custom name. */
export function openLedger(system: System, override: string | undefined): Ledger {
  const path = findLedger(system, override, { quiet: false })
  return openLedgerAt(system, path, (problem) => new Console().complain(problem))
}

/** The same for who needs records only. */
export function openStore(system: System, override: string | undefined): Store {
  return openLedger(system, override).jobs
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
