import type { Owner } from '../../../model/machine.ts'
import { countIn, numberOrNull, text, textOrNull, type Row } from '../../sqlite/row.ts'

/** The columns that name an owner, in `attempt` and in `workflow`. */
export const ownerNames = [
  'owner_host',
  'owner_boot_id',
  'owner_pid',
  'owner_start_ticks',
  'owner_pid_namespace',
  'owner_sign',
  'owner_sign_is_locked',
] as const

type OwnerColumns = Record<(typeof ownerNames)[number], string | number | null>

export function ownerColumns(owner: Owner): OwnerColumns {
  return {
    owner_host: owner.host,
    owner_boot_id: owner.bootId,
    owner_pid: owner.pid,
    owner_start_ticks: owner.startTicks,
    owner_pid_namespace: owner.pidNamespace ?? null,
    owner_sign: owner.sign?.name ?? null,
    owner_sign_is_locked: owner.sign === undefined ? null : Number(owner.sign.isLocked),
  }
}

export function ownerOf(row: Row): Owner {
  const pidNamespace = textOrNull(row, 'owner_pid_namespace')
  const name = textOrNull(row, 'owner_sign')
  return {
    host: text(row, 'owner_host'),
    bootId: text(row, 'owner_boot_id'),
    pid: countIn(row, 'owner_pid'),
    startTicks: countIn(row, 'owner_start_ticks'),
    ...(pidNamespace === null ? {} : { pidNamespace }),
    ...(name === null
      ? {}
      : { sign: { name, isLocked: numberOrNull(row, 'owner_sign_is_locked') === 1 } }),
  }
}
