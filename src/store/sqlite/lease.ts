import type { Owner } from '../../model/machine.ts'
import type { Connection } from './connection.ts'
import { StoreError } from '../errors.ts'
import { leaseOf } from './workflow-row.ts'

const ownerColumns = ['owner_host', 'owner_boot_id', 'owner_pid', 'owner_start_ticks']
const holder = `SELECT ${ownerColumns.join(', ')} FROM workflow WHERE id = ?`
const take = `UPDATE workflow SET ${ownerColumns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`
const giveUp = `
  UPDATE workflow SET ${ownerColumns.map((name) => `${name} = NULL`).join(', ')}
  WHERE id = ? AND ${ownerColumns.map((name) => `${name} = ?`).join(' AND ')}`

/** Null if it is ours now, else who has it. Belongs inside a transaction: others look at the same time. */
export function lease(
  connection: Connection,
  workflowId: number,
  owner: Owner,
  instead?: Owner,
): Owner | null {
  const row = connection.row(holder, workflowId)
  if (row === undefined)
    throw new StoreError('conflict', connection.path, `there is no workflow ${workflowId}`)
  const held = leaseOf(row)
  const ours = held === null || isSame(held, owner) || (instead && isSame(held, instead))
  if (!ours) return held
  connection.run(take, ...valuesOf(owner), workflowId)
  return null
}

/** Does nothing if another has it by now. */
export function release(connection: Connection, workflowId: number, owner: Owner): void {
  connection.run(giveUp, workflowId, ...valuesOf(owner))
}

const valuesOf = ({ host, bootId, pid, startTicks }: Owner): (string | number)[] => [
  host,
  bootId,
  pid,
  startTicks,
]

const isSame = (one: Owner, other: Owner): boolean =>
  valuesOf(one).every((value, index) => value === valuesOf(other)[index])
