import type { Statements } from './connection.ts'
import { steps, versionOf } from './migrate.ts'
import { TeamError } from './team-error.ts'

/** Refuses a team ledger that this build cannot use. */
export async function refuseOtherVersion(statements: Statements, address: string): Promise<void> {
  const version = await versionOf(statements)
  if (version > steps.length)
    throw new TeamError(
      'newer',
      address,
      `the team ledger is of version ${version}; this jobmeter knows up to ${steps.length}. Use a newer jobmeter`,
    )
  if (version < steps.length)
    throw new TeamError(
      'older',
      address,
      `the team ledger is of version ${version}, and this jobmeter needs ${steps.length}. ` +
        'An administrator upgrades it with `jobmeter team init`',
    )
}
