import { MalformedRow, StoreError, type StoreErrorCode } from '../../errors.ts'
import { shownAddress } from '../../ledger/team-address.ts'
import { asTeamError, type TeamErrorCode } from '../team-error.ts'

const codes: Readonly<Record<TeamErrorCode, StoreErrorCode>> = {
  unreachable: 'unreadable',
  refused: 'unreadable',
  'no-database': 'not-a-ledger',
  'no-ledger': 'not-a-ledger',
  'no-rights': 'unreadable',
  newer: 'newer',
  older: 'older',
  'not-ours': 'unreadable',
  full: 'full',
  failed: 'unreadable',
}

/** What is wrong with a team ledger, as readers of ledgers tell it. */
export function readError(error: unknown, address: string): StoreError {
  if (error instanceof StoreError) return error
  const path = shownAddress(address)
  if (error instanceof MalformedRow)
    return new StoreError('corrupt', path, `a row of it cannot be read (${error.message})`, error)
  const { code, says } = asTeamError(error, address)
  return new StoreError(codes[code], path, says, error)
}
