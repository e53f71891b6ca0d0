import { isTeamAddress } from '../../store/ledger/location.ts'
import { shownAddress } from '../../store/ledger/team-address.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What PostgreSQL's clients take as a proof of who they are, or as the place of one. */
const proofs = ['PGPASSWORD', 'PGPASSFILE', 'PGSERVICEFILE', 'PGSSLKEY', 'PGSSLPASSWORD']

/**
 * Our environment without what lets us into the database of the team: jobs that others have submitted, or that run
 * elsewhere, have no use for it. A job that needs some of it for a purpose of its own is given that by name.
 */
export function withoutCredentials(environment: Environment): Record<string, string | undefined> {
  const rest = { ...environment }
  for (const name of proofs) delete rest[name]
  for (const name of ['JOBMETER_TEAM', 'JOBMETER_DB']) {
    const value = rest[name]
    if (value !== undefined && isTeamAddress(value)) rest[name] = shownAddress(value)
  }
  return rest
}
