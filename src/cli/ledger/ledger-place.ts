import { ledgerPlace } from '../../record/ledger-place.ts'
import type { System } from '../../system/system.ts'
import { Console } from '../terminal/console.ts'

/** Where records go. That root keeps its own is said, unless nobody listens. */
export function findLedger(
  system: System,
  override: string | undefined,
  { quiet }: { readonly quiet: boolean },
): string {
  const { path, passedOver } = ledgerPlace(system, override, process.env)
  if (passedOver !== null && !quiet)
    new Console().complain(`using root's ledger ${path}, because others can change ${passedOver}`)
  return path
}
