import { teamStatusJson } from '../../render/team/team-status-json.ts'
import { teamStatusText } from '../../render/team/team-status-text.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { openTeam } from '../../service/team/open-team.ts'
import { localStatus, teamFacts, type TeamFacts } from '../../service/team/team-status.ts'
import { otherBoss } from '../../store/postgres/queue/boss-version.ts'
import { asTeamError } from '../../store/postgres/team-error.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'
import { ledgerOfTeam } from './team-address.ts'

const definition = defineCommand({
  name: 'team status',
  aliases: [],
  summary: 'What waits to be sent to the team, who sends, and how large the team ledger is.',
  usage: 'team status [options]',
  description:
    'Shows the sources that your role may see: your own, or all for administrators and servers. Where the team cannot be reached, what is ' +
    'known here is shown, and the exit code is 1, as it is where the queue needs `jobmeter team init`. ' +
    '$JOBMETER_TEAM names another team than the one that was joined.',
  arguments: [],
  options: { ...zoneOption, ...globalOptions },
  examples: ['jobmeter team status', 'jobmeter team status --format json'],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const { ledger, address } = ledgerOfTeam(system, options.db)
  const local = localStatus(system, ledger, address)
  const { team, problem } = await factsOf(address)
  const json = teamStatusJson({ ...local, team, problem })
  console.print(
    options.format === 'json'
      ? `${jsonText(json, 2)}\n`
      : teamStatusText(json, console.style(1), zoneAsked(options)),
  )
  if (problem !== undefined) console.complain(problem)
  return problem === undefined ? 0 : 1
})

async function factsOf(
  address: string,
): Promise<{ readonly team: TeamFacts | undefined; readonly problem: string | undefined }> {
  try {
    const database = await openTeam(address)
    try {
      const team = await teamFacts(database)
      return { team, problem: (await otherBoss(database, address))?.message }
    } finally {
      await database.close()
    }
  } catch (error) {
    return { team: undefined, problem: asTeamError(error, address).message }
  }
}
