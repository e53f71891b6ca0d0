import { Database } from '../../store/postgres/connection.ts'
import { refuseOtherVersion } from '../../store/postgres/refuse-other-version.ts'
import { asTeamError } from '../../store/postgres/team-error.ts'

export interface TeamOptions {
  /** Connections at most; 4 by default. */
  readonly connections?: number
  /** How long a statement may take. */
  readonly limitSeconds?: number
}

/** Connects to a team ledger of the version of this build. Says what is wrong where there is none. */
export async function openTeam(address: string, options: TeamOptions = {}): Promise<Database> {
  const database = connectTo(address, options)
  try {
    await refuseOtherVersion(database, address)
    return database
  } catch (error) {
    await database.close()
    throw asTeamError(error, address)
  }
}

/** Connects when first asked for something. */
export function connectTo(address: string, options: TeamOptions = {}): Database {
  const milliseconds = 1000 * (options.limitSeconds ?? 60)
  return new Database({
    connectionString: address,
    max: options.connections ?? 4,
    keepAlive: true,
    query_timeout: milliseconds,
  })
}
