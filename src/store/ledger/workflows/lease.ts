import type { Owner } from '../../../model/machine.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { StoreError } from '../../errors.ts'
import { ownerColumns, ownerNames } from '../records/owner-row.ts'
import { leaseOf } from './workflow-row.ts'

const holder = `SELECT ${ownerNames.join(', ')} FROM workflow WHERE id = ?`
const take = `UPDATE workflow SET ${ownerNames.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`
const isHeldBy = `id = ? AND ${ownerNames.map((name) => `${name} IS ?`).join(' AND ')}`
const giveUp = `
  UPDATE workflow SET ${ownerNames.map((name) => `${name} = NULL`).join(', ')}
  WHERE ${isHeldBy}`
const isHeld = `SELECT 1 FROM workflow WHERE ${isHeldBy}`

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

/** Whether it is still theirs: another may have taken it over. */
export function holds(connection: Connection, workflowId: number, owner: Owner): boolean {
  return connection.row(isHeld, workflowId, ...valuesOf(owner)) !== undefined
}

const valuesOf = (owner: Owner): (string | number | null)[] => {
  const columns = ownerColumns(owner)
  return ownerNames.map((name) => columns[name])
}

const isSame = (one: Owner, other: Owner): boolean =>
  valuesOf(one).every((value, index) => value === valuesOf(other)[index])
