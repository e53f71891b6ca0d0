import { count } from '../../model/count.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { openTeam } from '../../service/team/open-team.ts'
import { dropMonthsBefore, tablesBefore } from '../../service/team/team-retention.ts'
import { asTeamError, TeamError } from '../../store/postgres/team-error.ts'
import type { Console } from '../terminal/console.ts'
import { telling } from './team-address.ts'

interface PruneOptions {
  readonly 'dry-run': boolean
  readonly format: 'table' | 'json'
}

const refuse = (address: string) => (error: unknown) => {
  const told = asTeamError(error, address)
  if (told.code !== 'no-rights') throw told
  throw new TeamError(
    'no-rights',
    address,
    'only administrators (members of jobmeter_admin) drop what the team keeps; `jobmeter prune` without --db is about your own ledger',
    error,
  )
}

/** Drops the months of a team ledger that ended before then. */
export async function pruneTeam(
  address: string,
  before: number,
  options: PruneOptions,
  console: Console,
): Promise<number> {
  const isDryRun = options['dry-run']
  const tables = await telling(address, async () => {
    const database = await openTeam(address)
    try {
      const found = await tablesBefore(database, before)
      if (!isDryRun) await dropMonthsBefore(database, before).catch(refuse(address))
      return found
    } finally {
      await database.close()
    }
  })
  if (options.format === 'json') console.print(`${jsonText({ dry_run: isDryRun, tables }, 2)}\n`)
  else
    console.print(
      `${isDryRun ? 'Would drop' : 'Dropped'} ${count(tables.length, 'table')} of whole months${tables.length > 0 ? `: ${tables.join(', ')}` : ''}\n`,
    )
  return 0
}
